import type { LicenseeRow, Reading } from '@baize/registers'
import { sql } from 'kysely'
import { showCompany } from '../../features/companies/index.ts'
import { syncRegister } from '../apply/sync-register.ts'
import { authorisation, day, fakeStream, fileOf, licensee, type TestWorld } from '../fixture.ts'

const regulator = 'The regulator of Malta'
const streams = {
  malta: fakeStream('malta.licences', { regulator }),
  lottery: fakeStream('malta.lotteries', { regulator }),
  sweden: fakeStream('sweden.licences'),
  denmark: fakeStream('denmark.licences'),
}

/** Syncs four registers into the world, and reads which holders are one Company. */
export function openLinking(open: () => TestWorld) {
  const database = () => open().world.database
  const refOf = async (identity: string): Promise<string> => {
    const { rows } = await sql<{ company_ref: string }>`
      select company_ref
        from companies
       where id = (select company_id from company_identities where identity_key = ${identity})`.execute(
      database(),
    )
    return rows[0]?.company_ref as string
  }
  return {
    refOf,
    sync: (register: keyof typeof streams, number: number, ...readings: Reading[]) =>
      syncRegister(open().world, streams[register], [fileOf(...readings)], {
        takenAt: day(number),
        now: day(number),
      }),
    /** Returns the identities of each Company, a Company per line: `malta:M1 sweden:S1`. */
    async companies(): Promise<string[]> {
      const { rows } = await sql<{ identities: string }>`
        select string_agg(split_part(stream, '.', 1) || ':' || identity_key, ' '
                          order by split_part(stream, '.', 1), identity_key)
                 as identities
          from company_identities
         group by company_id
         order by 1`.execute(database())
      return rows.map(row => row.identities)
    },
    linksOf: async (identity: string) =>
      (await showCompany(open().world, await refOf(identity))).links.map(
        ({ identity_key, evidence, value, with_key, lost_at }) =>
          `${identity_key} ${evidence} ${value} ${with_key}${lost_at === null ? '' : ' lost'}`,
      ),
  }
}

export const otter = (key: string, fields: Partial<LicenseeRow> = {}) =>
  licensee(key, { legalName: 'Lucky Otter Ltd', country: null, ...fields })
export const site = (domain: string, licenseeKey: string) =>
  authorisation(domain, { recordKey: `${licenseeKey}|${domain}`, licenseeKey })
export const together = ['malta:M1 sweden:S1']
export const apart = ['malta:M1', 'sweden:S1']
