-- why: the vector of a chunk is one mean of all its tokens. The signs of the single tokens order the first hits of a question better.
create table token_bits (
  number integer primary key,          -- vectors: one row for a vector, so that equal texts share it
  wanted integer not null,             -- the time of its chunk: the newest is made first
  size integer,                        -- of the bits, in bytes; null: not made yet
  bits blob                            -- the signs of each token's state, one token after the other
);
create index idx_token_bits_waiting on token_bits (wanted) where size is null;
-- What is there is counted without a look at it: a row is several pages long.
create index idx_token_bits_size on token_bits (size) where size is not null;
create trigger vectors_bits_gone after delete on vectors begin
  delete from token_bits where number = old.number;
end;
