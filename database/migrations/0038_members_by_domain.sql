-- Counting new changes for messages reads the portfolios of each domain. From the index alone it reads a page
-- or two for a site of 50 portfolios, instead of a page of the table for each of them.
drop index portfolio_members_by_domain;
create index portfolio_members_by_domain on portfolio_members (domain) include (portfolio_id, added_after);
