"""What all wire models have in common."""

from pydantic import BaseModel, ConfigDict


class WireModel(BaseModel):
    """A result as clients see it: no unknown fields, wire names by alias, every field always present."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        populate_by_name=True,
        serialize_by_alias=True,
        json_schema_serialization_defaults_required=True,
    )
