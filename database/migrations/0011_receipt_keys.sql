-- Keys that sign receipts (docs/guides/prove-a-decision.md). Public keys stay for ever, so that old receipts verify.
create table receipt_keys (
  kid text primary key,
  public_key bytea not null check (length(public_key) = 32),
  private_key bytea,
  created_at timestamptz not null,
  retired_at timestamptz,
  revoked_at timestamptz,
  revoked_because text,
  constraint retired_keys_cannot_sign check ((private_key is null) = (retired_at is not null)),
  constraint revoked_keys_are_retired check (revoked_at is null or retired_at is not null),
  constraint revocations_have_a_reason check ((revoked_at is null) = (revoked_because is null))
);
create unique index receipt_keys_current on receipt_keys ((retired_at is null)) where retired_at is null;
comment on table receipt_keys is 'Ed25519 keys of receipts. The one in use is made at the first start. In the schema demo: empty, because the key of the installation signs there, too.';
comment on column receipt_keys.kid is 'The thumbprint of the public key (RFC 7638).';
comment on column receipt_keys.private_key is 'PKCS#8; deleted when the key is retired.';
comment on column receipt_keys.retired_at is 'null: it signs.';
comment on column receipt_keys.revoked_at is 'Nobody shall trust its signatures; null: not revoked.';
comment on column receipt_keys.revoked_because is 'Published with the key.';
