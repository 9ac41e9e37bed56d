-- why: what the ledger holds by the specifications. What it can tell from its own rows is filled in here; the rest waits for
-- `mnemonic sync --reread`. Rows of turns and sessions are small; no message and no call is written again.

-- Which version of its adapter read a unit from its beginning (Adapter.reads): an older one stored less of it.
alter table sync_state add column reads integer not null default 0;
