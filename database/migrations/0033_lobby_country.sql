-- The country from which a lobby was seen. Lobbies differ by country, so it belongs to the visit.
alter table lobby_visits add column country text;
comment on column lobby_visits.country is 'Of the way out of the worker, as OUTBOUND_COUNTRY says; null: not configured.';
