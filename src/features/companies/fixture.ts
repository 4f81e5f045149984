import type { Reading } from '@baize/registers'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { loadLines } from '../../../test/harness/load-lines.ts'
import type { World } from '../../database/open.ts'
import {
  authorisation,
  day,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  type TestWorld,
} from '../../registers/fixture.ts'
import { syncRegister } from '../../registers/index.ts'
import { verifyListings, verifyVerdicts } from '../domains/index.ts'
import type { Context } from '../operation.ts'
import type { Identity } from './index.ts'
import { type MergeReport, mergeCompanies, type SplitReport, splitCompany, verifyCompanies } from './index.ts'
import { findCompanies } from './resolve/find-companies.ts'

export const streams = { malta: fakeStream('malta.licences'), sweden: fakeStream('sweden.licences') }

export type Sources = {
  refOf(identity: string): Promise<string>
  /** Returns one line per Company: its identities and its name. */
  companies(): Promise<string[]>
  sync(
    register: keyof typeof streams,
    takenAt: Date,
    ...readings: Reading[]
  ): Promise<Awaited<ReturnType<typeof syncRegister>>>
  load(now: Date, ...records: object[]): Promise<void>
}

export function openSources(world: World): Sources {
  const { database } = world
  return {
    async refOf(identity) {
      const { rows } = await sql<{ company_ref: string }>`
        select company_ref
          from company_identities
          join companies company on company.id = company_id
         where stream || ':' || identity_key = ${identity}`.execute(database)
      return rows[0]?.company_ref ?? `no Company for ${identity}`
    },
    async companies() {
      const { rows } = await sql<{ line: string }>`
        select string_agg(stream || ':' || identity_key, ' ' order by stream, identity_key)
               || ' = ' || coalesce(company.company_name, '-') as line
          from company_identities identity
          join companies company on company.id = identity.company_id
         group by company.id
         order by 1`.execute(database)
      return rows.map(row => row.line)
    },
    async sync(register, takenAt, ...readings) {
      const report = await syncRegister(world, streams[register], [fileOf(...readings)], {
        takenAt,
        now: takenAt,
      })
      if (report.status === 'refused' || report.status === 'held')
        throw new Error(`${report.status}: ${report.reasons.join('; ')}`)
      return report
    },
    async load(now, ...records) {
      await loadLines(world, records, { now })
    },
  }
}

export const alphaIdentity = 'malta.licences:M1'
export const betaIdentity = 'sweden.licences:S1'
export const gammaIdentity = 'import:gamma'

export const alpha = licensee('M1', { legalName: 'Alpha Ltd', country: 'MT', tradingNames: ['Ace'] })
export const beta = licensee('S1', { legalName: 'Beta AB', country: 'SE', tradingNames: ['Bee', 'Ace'] })
export const malta = [
  alpha,
  license('L1', 'M1', { issuedAt: day(2).toISOString() }),
  authorisation('a.example', { licenseKey: 'L1', licenseeKey: 'M1' }),
]
export const sweden = [
  beta,
  license('L2', 'S1'),
  authorisation('b.example', { licenseKey: 'L2', licenseeKey: 'S1' }),
]
export const file = [
  { kind: 'company', key: 'gamma', company_name: 'Gamma', role: ['affiliate_media'], brands: ['Gee'] },
  { kind: 'domain', domain: 'b.example', company: 'gamma', relation: 'brand_owner', brand: 'Gee' },
  {
    kind: 'license',
    jurisdiction: 'mga',
    license_number: '7',
    company: 'gamma',
    authorized_domains: ['c.example'],
  },
]

export const unmerged = [
  `${gammaIdentity} = Gamma`,
  `${alphaIdentity} = Alpha Ltd`,
  `${betaIdentity} = Beta AB`,
]

export type MergeWorld = TestWorld &
  Sources & {
    /** Empties the world and loads both registers and the file as of day 10. */
    reset(): Promise<void>
    expectConsistent(): Promise<void>
    merge(from: string, into: string, number?: number): Promise<MergeReport>
    split(company: string, identities: string[], number?: number): Promise<SplitReport>
    /** Returns one sorted line per license, relation and verdict, each with the name of its Company. */
    holdings(): Promise<string[]>
    companyOf(identity: string): Promise<Record<string, unknown> | undefined>
    resolve(ref: string): Promise<{ resolvedRef: string | null; status: 'active' | 'merged' }>
  }

export async function openMergeWorld(): Promise<MergeWorld> {
  const opened = await openTestWorld()
  const sources = openSources(opened.world)
  const { world } = opened
  const { refOf } = sources
  return {
    ...opened,
    ...sources,
    async reset() {
      await opened.empty()
      await sources.sync('malta', day(10), ...malta)
      await sources.sync('sweden', day(10), ...sweden)
      await sources.load(day(10), ...file)
      expect(await sources.companies()).toEqual(unmerged)
    },
    async expectConsistent() {
      expect((await verifyCompanies(world.database)).differences).toEqual([])
      expect((await verifyVerdicts(world.database)).differences).toEqual([])
      expect(await verifyListings(world.database)).toEqual([])
    },
    async merge(from, into, number = 20) {
      const [fromRef, intoRef] = [await refOf(from), await refOf(into)]
      return mergeCompanies(world, { from: fromRef, into: intoRef, reason: 'one owner', now: day(number) })
    },
    async split(company, identities, number = 30) {
      return splitCompany(world, {
        company: await refOf(company),
        identities: identities.map(identity => identity.split(':') as Identity),
        reason: 'two owners',
        now: day(number),
      })
    },
    holdings: () => readHoldings(world),
    async companyOf(identity) {
      const ref = await refOf(identity)
      return (await opened.rowsOf('companies')).find(row => row.company_ref === ref)
    },
    async resolve(ref) {
      const { firstRef, isMergedRef } = await findCompanies({ world } as Context, { company_ref: ref })
      return { resolvedRef: firstRef, status: isMergedRef ? 'merged' : 'active' }
    },
  }
}

async function readHoldings(world: World): Promise<string[]> {
  const { rows } = await sql<{ holding: string }>`
      select concat_ws(' | ', 'license', license.stream, record_key, company_name) as holding
        from licenses license
        join companies company on company.id = license.company_id
      union all
      select concat_ws(' | ', relation, domain, company_name, link.stream)
        from domain_companies link
        join domains domain on domain.id = link.domain_id
        join companies company on company.id = link.company_id
       where known_to is null
      union all
      select concat_ws(' | ', 'verdict', domain, company_name)
        from domains domain
        join companies company on company.id = licensee_company_id
       order by holding`.execute(world.database)
  return rows.map(row => row.holding)
}
