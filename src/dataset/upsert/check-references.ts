import type { Transaction } from '../../database/open.ts'
import { rejectsShownMax } from '../import-report.ts'
import type { RecordKind } from '../read/record-schemas.ts'
import { stagedTables } from '../read/staged-row.ts'
import {
  type BadReferences,
  dropReadingsWithoutPlatform,
  dropWithoutCompany,
} from '../stage/bad-references-store.ts'
import { mapCompanies } from '../stage/map-keys-store.ts'
import { analyse } from '../stage/staging-store.ts'
import type { RejectLines } from './upsert-context.ts'

export async function checkReferences(tx: Transaction, reject: RejectLines): Promise<void> {
  for (const table of stagedTables) await analyse(tx, table)
  await mapCompanies(tx)
  const rejectAll = (kind: RecordKind, noun: string, bad: BadReferences) =>
    reject(
      kind,
      bad.count,
      bad.shown.map(({ position, key }) => ({
        position,
        reason: `${noun}: no ${noun} in these files or in the database has the key ${JSON.stringify(key)}`,
      })),
    )
  rejectAll('domain', 'company', await dropWithoutCompany(tx, 'staged_domains', rejectsShownMax))
  rejectAll('license', 'company', await dropWithoutCompany(tx, 'staged_licenses', rejectsShownMax))
  rejectAll('contact', 'company', await dropWithoutCompany(tx, 'staged_contacts', rejectsShownMax))
  rejectAll('platform_reading', 'platform', await dropReadingsWithoutPlatform(tx, rejectsShownMax))
}
