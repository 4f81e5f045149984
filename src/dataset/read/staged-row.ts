export type StagedTable =
  | 'staged_companies'
  | 'staged_platforms'
  | 'staged_domains'
  | 'staged_licenses'
  | 'staged_license_domains'
  | 'staged_blocklist_entries'
  | 'staged_observations'
  | 'staged_platform_readings'
  | 'staged_site_checks'
  | 'staged_firmographics'
  | 'staged_contacts'
  | 'staged_logos'
  | 'staged_accounts'
  | 'staged_prospect_lists'

/** The Companies that an import has created. */
export type StagedTables = ReadonlySet<StagedTable>

export type StagedRow = { table: StagedTable; row: Record<string, unknown> }
