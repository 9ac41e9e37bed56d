-- How long a lease lasts without being renewed, and what its owner does, for those who wait for it. Older owners do not say.
alter table leases add column ttl_ms integer;
alter table leases add column job text;
