import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Customer, Response } from '../../../../test/harness/service.ts'
import { type LicenseService, type Parameters, refused, startLicenseService } from '../fixture.ts'
import { type Data, pathOf, searchLicenses } from './fixture.ts'

let service: LicenseService
let customer: Customer
beforeAll(async () => {
  service = await startLicenseService({ world: 'demo' })
  customer = await service.customer({ credits: 100_000_000 })
})
afterAll(() => service.close())

const search = (parameters: Parameters) => searchLicenses(customer, parameters)
const ask = (parameters: Parameters): Promise<Response> =>
  customer.ask(pathOf('/v1/licenses/search', parameters))

const questions: Parameters[] = [{}, { q: 'gaming' }, { jurisdiction: 'ukgc' }, { domain: 'pikebet.example' }]

describe('pages of license search', () => {
  test('pages of licenses of any size, by number or cursor, have the same rows in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...questions),
        fc.integer({ min: 1, max: 15 }),
        fc.boolean(),
        async (question, size, byCursor) => {
          const whole = (await search(question)).hits
          const walked: Data[] = []
          let place: Parameters = {}
          for (let page = 1; ; page += 1) {
            const {
              hits,
              next_cursor: next,
              total,
            } = await search({ ...question, page_size: size, ...place })
            expect(total).toBe(whole.length)
            walked.push(...hits)
            if (next === null) break
            place = byCursor ? { after: next } : { page: page + 1 }
          }
          expect(walked).toEqual(whole)
          expect(walked.map(hit => hit.rank)).toEqual(whole.map((_: Data, index: number) => index + 1))
        },
      ),
      { numRuns: 12 },
    )
  })

  test('a cursor of license search continues only its own search', async () => {
    const { next_cursor: cursor } = await search({ jurisdiction: 'ukgc', page_size: 1 })
    expect(refused(await ask({ jurisdiction: 'mga', after: cursor }))).toEqual([
      400,
      'cursor_filter_mismatch',
    ])
    expect(refused(await ask({ jurisdiction: 'ukgc', after: `${cursor}x` }))).toEqual([400, 'invalid_cursor'])
    expect(refused(await ask({ jurisdiction: 'ukgc', after: 'com1_e30.AAAA' }))).toEqual([
      400,
      'invalid_cursor',
    ])
    expect((await ask({ jurisdiction: 'ukgc', after: cursor, page_size: 3, max_credits: 9 })).status).toBe(
      200,
    )
  })

  test('page_out_of_range: a page beyond row 10,000 is rejected, with a hint at after', async () => {
    const { status, body } = await ask({ page: 101, page_size: 100 })
    expect([status, body.errors.code]).toEqual([400, 'page_out_of_range'])
    expect(body.message).toContain('after')
  })
})
