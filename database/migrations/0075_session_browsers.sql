alter table sessions add column browser text check (char_length(browser) <= 100);
comment on column sessions.browser is 'The names of browser and system, from the user agent at the sign-in; null: unknown.';
