alter table company_identities add column operator_since timestamptz;
comment on column company_identities.operator_since is
  'The snapshot that added the role operator. null: no snapshot since release 0.1 added it.';
