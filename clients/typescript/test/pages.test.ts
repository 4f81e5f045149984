import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day, entry, fakeStream, fileOf, syncApproved } from '../../../src/registers/fixture.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import {
  Baize,
  BaizeError,
  CursorFilterMismatchError,
  MaxCreditsExceededError,
  type Pages,
} from '../src/index.ts'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { chargesOf } from './ledger.ts'

const filters = { jurisdiction: 'ukgc', page_size: 3 } as const

let service: TestService
let proxy: FaultyProxy
let customer: Customer
let baize: Baize
/** The Signals of the feed, in its order. */
let whole: string[]

beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  proxy = await startFaultyProxy(service.url)
  await newCustomer()
  const { signals } = await baize.listRegisterChanges({ jurisdiction: 'ukgc' })
  whole = signals.map(({ signal_ref }) => signal_ref)
  expect(whole.length).toBeGreaterThan(8)
})
afterAll(async () => {
  await proxy.close()
  await service.close()
})

async function newCustomer(): Promise<void> {
  customer = await service.customer()
  baize = new Baize({ apiKey: customer.key, baseUrl: proxy.url, retryDelayMs: 1 })
  proxy.next()
}

const spent = async () => (await baize.showAccount()).credits_used

type Signal = { signal_ref: string }

/** Up to `most` rows. */
async function take(feed: Pages<unknown, Signal>, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const refs: string[] = []
  if (most === 0) return refs
  for await (const { signal_ref } of feed) if (refs.push(signal_ref) === most) break
  return refs
}

describe('an iteration over a feed', () => {
  test('gives every row once, in the order of the feed, and pays each once', async () => {
    await newCustomer()
    expect(await take(baize.listRegisterChanges(filters))).toEqual(whole)
    expect(await spent()).toBe(whole.length)
  })

  test('pays no page before its first row is needed', async () => {
    await newCustomer()
    const feed = baize.listRegisterChanges(filters)
    expect(await take(feed, 3)).toEqual(whole.slice(0, 3))
    expect(await spent()).toBe(3)
  })

  test('that was left continues where it was', async () => {
    await newCustomer()
    const feed = baize.listRegisterChanges(filters)
    const parts = [await take(feed, 2), await take(feed, 5), await take(feed), await take(feed)]
    expect(parts.flat()).toEqual(whole)
    expect(await spent()).toBe(whole.length)
  })

  test('that is awaited is its first page, which is not paid again', async () => {
    await newCustomer()
    const feed = baize.listRegisterChanges(filters)
    expect((await feed).signals.map(({ signal_ref }) => signal_ref)).toEqual(whole.slice(0, 3))
    expect(await take(feed)).toEqual(whole)
    expect(await spent()).toBe(whole.length)
  })

  test('continues from its cursor without gap, repeat or second payment, wherever it was left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 8 }), async lengths => {
        await newCustomer()
        const refs: string[] = []
        let cursor: string | undefined
        for (const most of [...lengths, Number.POSITIVE_INFINITY]) {
          const feed = baize.listRegisterChanges(filters, { cursor })
          refs.push(...(await take(feed, most)))
          cursor = feed.cursor
        }
        expect(refs).toEqual(whole)
        expect(await spent()).toBe(whole.length)
      }),
      { numRuns: 10 },
    )
  })

  test('that starts from a cursor saved before a page was asked for pays that page once', async () => {
    await newCustomer()
    const killed = baize.listRegisterChanges(filters, { maxCredits: 100 })
    const { cursor } = killed
    await take(killed, 1)
    expect(await take(baize.listRegisterChanges(filters, { cursor, maxCredits: 100 }))).toEqual(whole)
    expect(await spent()).toBe(whole.length)
  })

  test('starts from a next_cursor of the API, too', async () => {
    await newCustomer()
    const { next_cursor } = await baize.listRegisterChanges(filters)
    const refs = await take(baize.listRegisterChanges(filters, { cursor: next_cursor ?? '' }))
    expect(refs).toEqual(whole.slice(3))
    expect(await take(baize.listRegisterChanges({ ...filters, after: next_cursor ?? '' }))).toEqual(refs)
  })

  test('survives answers that are lost', async () => {
    await newCustomer()
    proxy.next('none', 'lose', 'cut', 'none', 'drop')
    expect(await take(baize.listRegisterChanges(filters))).toEqual(whole)
    expect(await chargesOf(service, customer.accountRef)).toEqual([
      '3 signal.base',
      '3 signal.base',
      '3 signal.base',
      '1 signal.base',
    ])
  })

  test('gives pages with the state of the sources', async () => {
    await newCustomer()
    const pages = await Array.fromAsync(baize.listRegisterChanges(filters).pages())
    expect(pages.flatMap(({ signals }) => signals.map(({ signal_ref }) => signal_ref))).toEqual(whole)
    expect(pages[0]?.sources).toMatchObject([
      { source_stream_key: 'ukgc.licences', truth_state: expect.any(String) },
    ])
  })

  test('that continues in a page from before finds the rows that came since', async () => {
    await newCustomer()
    const stream = fakeStream('estonia.blocklist')
    const sync = (at: number, ...hosts: string[]) =>
      syncApproved(service.service.live, stream, [fileOf(...hosts.map(host => entry(host)))], {
        takenAt: day(at),
        now: day(at),
      })
    await sync(1, 'a.example')
    await sync(2, 'a.example', 'b.example', 'c.example')
    const feed = baize.listRegisterChanges({ jurisdiction: 'estonia' })
    const before = await take(feed, 1)
    await sync(3, 'a.example', 'b.example', 'c.example', 'd.example')
    const after = await take(baize.listRegisterChanges({ jurisdiction: 'estonia' }, { cursor: feed.cursor }))
    const { signals } = await baize.listRegisterChanges({ jurisdiction: 'estonia' })
    expect([...before, ...after]).toEqual(signals.map(({ signal_ref }) => signal_ref))
    expect(signals).toHaveLength(3)
    expect(await spent()).toBe(3 + 3)
  })

  test('of a market without a source ends at once', async () => {
    await newCustomer()
    expect(await take(baize.listRegisterChanges({ jurisdiction: 'peru' }))).toEqual([])
  })

  test('asks again after pollSeconds, for rows that came since, until the signal ends it', async () => {
    await newCustomer()
    const stop = new AbortController()
    const { next_cursor } = await baize.listRegisterChanges(filters)
    const refs: string[] = []
    const follow = async () => {
      const feed = baize.listRegisterChanges(filters, {
        cursor: next_cursor ?? '',
        pollSeconds: 0.001,
        signal: stop.signal,
      })
      for await (const { signal_ref } of feed) refs.push(signal_ref)
    }
    proxy.seen.length = 0
    // Three pages have rows; the others find the end of the feed.
    proxy.onAnswer = number => {
      if (number === 6) stop.abort(new Error('enough'))
    }
    await expect(follow()).rejects.toThrow('enough')
    proxy.onAnswer = null
    expect(refs).toEqual(whole.slice(3))
    expect(new Set(proxy.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(proxy.seen.length)
  })
})

describe('maxCredits', () => {
  test('ends an iteration with an error before more is spent', async () => {
    await newCustomer()
    const feed = baize.listRegisterChanges(filters, { maxCredits: 7 })
    const refs: string[] = []
    const iterate = async () => {
      for await (const { signal_ref } of feed) refs.push(signal_ref)
    }
    await expect(iterate()).rejects.toThrow(MaxCreditsExceededError)
    expect(refs).toEqual(whole.slice(0, 6))
    expect(await spent()).toBe(6)
  })

  test('that is raised continues where the smaller one ended', async () => {
    await newCustomer()
    const first = baize.listRegisterChanges(filters, { maxCredits: 4 })
    await expect(take(first)).rejects.toThrow(MaxCreditsExceededError)
    const second = baize.listRegisterChanges(filters, { cursor: first.cursor, maxCredits: 100 })
    expect(await take(second)).toEqual(whole.slice(3))
    expect(await spent()).toBe(whole.length)
  })

  test('of the whole feed is enough for the whole feed', async () => {
    await newCustomer()
    const feed = baize.listRegisterChanges(filters, { maxCredits: whole.length })
    expect(await take(feed)).toEqual(whole)
  })

  test('is no more than max_credits for a single page', async () => {
    await newCustomer()
    const feed = baize.listRegisterChanges({ ...filters, max_credits: 2 }, { maxCredits: 100 })
    await expect(take(feed)).rejects.toThrow(MaxCreditsExceededError)
    expect(await spent()).toBe(0)
  })
})

describe('an iteration over a search', () => {
  const all = { verdict: 'blocklisted' } as const

  test('gives every row once, and ends', async () => {
    await newCustomer()
    const { total } = await baize.searchDomains({ ...all, per_page: 1 })
    const domains: string[] = []
    const search = baize.searchDomains({ ...all, per_page: 2, page: 1 })
    for await (const { domain } of search) domains.push(domain)
    expect(new Set(domains).size).toBe(total)
    expect(domains).toHaveLength(total)
    for await (const _row of search) throw new Error('it had ended')
    expect(await spent()).toBe(total + 1)
  })

  test('continues from the cursor of each row, also of the last one', async () => {
    await newCustomer()
    const params = { ...all, per_page: 4 }
    const domains: string[] = []
    let cursor: string | undefined
    let isFound = true
    while (isFound) {
      isFound = false
      const search = baize.searchDomains(params, { cursor })
      for await (const { domain } of search) {
        isFound = true
        domains.push(domain)
        break
      }
      cursor = search.cursor
    }
    expect(new Set(domains).size).toBe(domains.length)
    expect(await spent()).toBe(domains.length)
    expect((await baize.searchDomains(params)).total).toBe(domains.length)
  })

  test('that finds nothing has no rows', async () => {
    await newCustomer()
    const hits = await Array.fromAsync(baize.searchCompanies({ q: 'nobody has this name' }))
    expect(hits).toEqual([])
  })

  test('people without rows in the answer', async () => {
    await newCustomer()
    const { hits } = await baize.searchCompanies({ q: 'Ottermoor' })
    const company_ref = hits[0]?.company_ref ?? ''
    expect(await Array.fromAsync(baize.listPeople({ company_ref, count_only: true }))).toEqual([])
  })
})

test('a page that has become shorter than its cursor is left for the next one', async () => {
  const sent: string[] = []
  const fetch = async (url: string | URL | Request) => {
    const after = new URL(String(url)).searchParams.get('after')
    sent.push(String(after))
    const signals = after === null ? [{ signal_ref: 'one' }] : [{ signal_ref: 'last' }]
    const data = { signals, next_cursor: after === null ? 'second' : 'end', has_more: after === null }
    return new Response(JSON.stringify({ success: true, data }))
  }
  const client = new Baize({ apiKey: 'client_x', fetch })
  // Five rows of the first page were taken.
  const cursor = `p1.${btoa(JSON.stringify([null, 'key', null, 5])).replaceAll('=', '')}`
  expect(await take(client.listRegisterChanges({ jurisdiction: 'ukgc' }, { cursor }))).toEqual(['last'])
  expect(sent).toEqual(['null', 'second'])
})

test('a cursor with other filters is refused', async () => {
  await newCustomer()
  const feed = baize.listRegisterChanges(filters)
  await take(feed, 3)
  const other = baize.listRegisterChanges({ jurisdiction: 'italy' }, { cursor: feed.cursor })
  await expect(take(other)).rejects.toThrow(CursorFilterMismatchError)
})

test.each(['p1.', 'p1.%%', 'p1.e30', 'p1.WzEsMiwzLDRd'])('the cursor %s is refused', cursor => {
  expect(() => baize.listRegisterChanges(filters, { cursor })).toThrow(BaizeError)
})
