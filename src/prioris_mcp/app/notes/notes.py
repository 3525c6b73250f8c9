"""Keep notes about documents, whether these were fetched or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from prioris_mcp.app.notes.search import NoteLists, NotesAbout, SearchNotes
from prioris_mcp.domain.documents import ProviderName, SourceFormat
from prioris_mcp.domain.instants import Instant
from prioris_mcp.domain.notes.limits import check_change, check_content
from prioris_mcp.domain.notes.note import Content, Note, NoteChange, NoteFilter, Subject, canonical
from prioris_mcp.domain.page import PageRequest
from prioris_mcp.domain.search import MOST_HITS
from prioris_mcp.errors import InvalidRequestError, NotFoundError
from prioris_mcp.ports.notes import NotesBackend
from prioris_mcp.ports.sources import FullTextSource
from prioris_mcp.remedies import NOTES


class Notes:
    """Keep the user's notes. Only `create` with a format may ask a network, for what the format leaves open."""

    def __init__(
        self,
        backend: NotesBackend,
        search: SearchNotes,
        sources: Mapping[ProviderName, FullTextSource],
        about: NotesAbout,
        now: Callable[[], Instant],
        new_id: Callable[[], str],
        changed: Callable[[], None],
    ) -> None:
        """Call *changed* when a text is added, removed or replaced."""
        self._backend, self._search, self._sources, self._about = backend, search, sources, about
        self._now, self._new_id, self._changed = now, new_id, changed

    async def create(
        self, provider: ProviderName, identifier: str, format_: SourceFormat | None, content: Content
    ) -> Note:
        """Store a new note and return it. Raise InvalidRequestError where *identifier* is none of *provider*."""
        check_content(content)
        subject = await self._subject(provider, identifier, format_)
        now = self._now()
        note = Note(self._new_id(), subject, content, now, now)
        await self._backend.create(note)
        self._changed()
        return note

    async def read(self, note_id: str) -> Note:
        """Return the note. Raise NotFoundError where there is none."""
        note = await self._backend.read(note_id)
        if note is None:
            raise _unknown(note_id)
        return note

    async def update(self, note_id: str, change: NoteChange) -> Note:
        """Change the note and return it. Raise NotFoundError where there is none."""
        note = await self._backend.update(note_id, check_change(change), self._now())
        if note is None:
            raise _unknown(note_id)
        self._changed()
        return note

    async def delete(self, note_id: str) -> bool:
        """Delete the note; return False where there is none."""
        return await self._backend.delete(note_id)

    async def search(
        self, wanted: NoteFilter, identifier: str | None, keyword: str | None, mode: str, page: PageRequest
    ) -> NoteLists:
        """Return the notes that *wanted* selects about *identifier*, in any of its spellings. Ask no network.

        Raise NotFoundError where *identifier* is none of the provider: there can be no note about it.
        """
        if identifier is not None:
            if wanted.provider is None:
                raise InvalidRequestError("canonical_identifier needs provider: say which source it belongs to")
            try:
                wanted = await self._about(wanted, wanted.provider, identifier)
            except InvalidRequestError as exc:
                raise NotFoundError(
                    "there is no note about this: ", *exc.args, "; ", NOTES, " without it lists all"
                ) from exc
        return await self._search(wanted, keyword, mode, page.capped(MOST_HITS))

    async def _subject(self, provider: ProviderName, identifier: str, format_: SourceFormat | None) -> Subject:
        source = self._sources.get(provider)
        if format_ is None:
            return Subject(provider, (await self._about(NoteFilter(), provider, identifier)).identifiers[0])
        if source is None:
            return Subject(provider, canonical(provider, identifier), _pdf(format_))
        return Subject(provider, (await source.pin(identifier, format_)).identifier, format_)


def _pdf(format_: SourceFormat) -> SourceFormat:
    if format_ is not SourceFormat.PDF:
        raise InvalidRequestError(f"local files are pdf, not {format_}; give format='pdf', or leave it out")
    return format_


def _unknown(note_id: str) -> NotFoundError:
    return NotFoundError(f"no note has the id {note_id[:100]!r}; ", NOTES, " finds notes and shows their ids")
