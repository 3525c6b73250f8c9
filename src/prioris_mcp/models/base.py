"""Define what all wire models have in common."""

from collections.abc import Iterable
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema


class Words:
    """Take one of a few words, be they members of an enumeration or not, of which clients see the words alone."""

    def __init__(self, words: Iterable[str]) -> None:
        self._members = {str(word): word for word in words}

    def __get_pydantic_core_schema__(self, _kind: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        # As the strings that they are: the serializer for enumerations costs a third of a long list.
        return core_schema.no_info_after_validator_function(
            self._members.__getitem__,
            core_schema.literal_schema([*self._members]),
            serialization=core_schema.simple_ser_schema("str"),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        said = handler(schema)
        return said if len(self._members) == 1 else {**said, "enum": [*self._members]}


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
ReadAs = Annotated[
    str,
    Field(
        exclude_if=lambda reading: not reading,
        description="How the query was read, in FTS5's language; absent where as typed",
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
