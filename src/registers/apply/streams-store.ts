import type { Stream } from '@baize/registers'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { writeFacts } from '../acquire/facts-store.ts'
import { supersedeQuarantined } from '../snapshot/quarantine-store.ts'

/** Copies a stream's details at each run, because feeds read streams only from the database. */
export async function writeStreamDetails(tx: Transaction, stream: Stream): Promise<void> {
  await sql`
    update register_streams
       set regulator = ${stream.regulator},
           regulator_country_code = ${stream.regulatorCountryCode},
           official_url = ${stream.officialUrl},
           source_claim = ${stream.sourceClaim},
           qualification = ${stream.qualification},
           source_identity = ${stream.sourceIdentity},
           cadence_hours = ${stream.cadence.hours},
           makes_market_entries = ${stream.makesMarketEntries}
     where stream = ${stream.key}`.execute(tx)
  await writeFacts(tx, [stream])
}

/** Records that the source was unchanged at `takenAt`, from which open rows take their last confirmation. */
export async function confirmStream(tx: Transaction, stream: string, takenAt: Date): Promise<void> {
  await supersedeQuarantined(tx, stream, takenAt)
  await sql`
    update register_streams
       set last_taken_at = ${takenAt},
           last_confirmed_at = ${takenAt}
     where stream = ${stream}`.execute(tx)
}
