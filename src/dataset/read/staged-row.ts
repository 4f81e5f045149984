/** The staging tables that hold the rows of lines, in the order in which they are upserted. */
export const stagedTables = [
  'staged_companies',
  'staged_platforms',
  'staged_domains',
  'staged_licenses',
  'staged_license_domains',
  'staged_blocklist_entries',
  'staged_observations',
  'staged_platform_readings',
  'staged_firmographics',
  'staged_contacts',
  'staged_logos',
  'staged_accounts',
  'staged_prospect_lists',
] as const
export type StagedTable = (typeof stagedTables)[number]

/** A row of a staging table, without its position. */
export type StagedRow = { table: StagedTable; row: Record<string, unknown> }
