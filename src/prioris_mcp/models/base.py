"""Define what all wire models have in common."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field


class WireModel(BaseModel):
    """A result as clients see it: no unknown fields, wire names by alias, every field always present."""

    model_config = ConfigDict(
        extra="forbid",
        from_attributes=True,
        frozen=True,
        populate_by_name=True,
        serialize_by_alias=True,
        json_schema_serialization_defaults_required=True,
    )

    @classmethod
    def of(cls, found: object) -> Self:
        """Return what *found*, an object of the application, has under each field's name, or where its alias leads."""
        return cls.model_validate(found)


class ResultModel(WireModel):
    """A whole answer, or a part of one, with fields that are absent where there is nothing to say."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)


Unavailable = Annotated[
    dict[str, str] | None,
    Field(
        exclude_if=lambda unavailable: not unavailable,
        description="Why a mechanism that was asked could not run; absent where all did",
    ),
]
Damaged = Annotated[
    str | None,
    Field(
        exclude_if=lambda damaged: not damaged,
        description="Fields that could not be read in the store; absent where all could",
    ),
]

Warnings = Annotated[
    tuple[str, ...],
    Field(
        exclude_if=lambda warnings: not warnings,
        description="What was not done as asked; absent where everything was",
    ),
]
"""The last field of every answer."""
