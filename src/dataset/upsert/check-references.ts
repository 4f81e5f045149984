import { rejectsShownMax } from '../import-report.ts'
import type { RecordKind } from '../read/record-schemas.ts'
import {
  type BadReferences,
  dropReadingsWithoutPlatform,
  dropWithoutCompany,
} from '../stage/bad-references-store.ts'
import { mapCompanies } from '../stage/map-keys-store.ts'
import { analyse } from '../stage/staging-store.ts'
import type { UpsertContext } from './upsert-context.ts'

export async function checkReferences({ tx, staged, reject }: UpsertContext): Promise<void> {
  for (const table of staged) await analyse(tx, table)
  await mapCompanies(tx, staged)
  const rejectAll = (kind: RecordKind, noun: string, bad: BadReferences) =>
    reject(
      kind,
      bad.count,
      bad.shown.map(({ position, key }) => ({
        position,
        reason: `${noun}: no ${noun} in these files or in the database has the key ${JSON.stringify(key)}`,
      })),
    )
  for (const [kind, table] of [
    ['domain', 'staged_domains'],
    ['license', 'staged_licenses'],
    ['contact', 'staged_contacts'],
  ] as const)
    if (staged.has(table)) rejectAll(kind, 'company', await dropWithoutCompany(tx, table, rejectsShownMax))
  if (staged.has('staged_platform_readings'))
    rejectAll('platform_reading', 'platform', await dropReadingsWithoutPlatform(tx, rejectsShownMax))
}
