import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { writeFacts } from '../official/facts-store.ts'
import { supersedeQuarantined } from '../snapshot/quarantine-store.ts'
import type { Stream } from '../stream.ts'

/** Copies a stream's details at each run, for feeds, which read streams only from the database. */
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

/** The source was unchanged at `takenAt`: open rows take their last confirmation from here. */
export async function confirmStream(tx: Transaction, stream: string, takenAt: Date): Promise<void> {
  await supersedeQuarantined(tx, stream, takenAt)
  await sql`
    update register_streams
       set last_taken_at = ${takenAt},
           last_confirmed_at = ${takenAt}
     where stream = ${stream}`.execute(tx)
}
