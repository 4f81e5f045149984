-- Looking up parts of licenses' words read the words of Companies, too: 500,000 of 750,000 for `play`.
drop index search_words_by_part;
create index company_words_by_part on search_words using gin (word gin_trgm_ops) where subject = 'company';
create index license_words_by_part on search_words using gin (word gin_trgm_ops) where subject = 'license';
