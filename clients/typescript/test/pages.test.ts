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
/** All Signals of the feed in order. */
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

const spent = async () => (await baize.getAccount()).credits_used

type Signal = { signal_ref: string }

/** Takes at most `most` rows. */
async function take(feed: Pages<unknown, Signal>, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const refs: string[] = []
  if (most === 0) return refs
  for await (const { signal_ref } of feed) if (refs.push(signal_ref) === most) break
  return refs
}

describe('iterations over a feed', () => {
  test('an iteration over a feed gives every row once in order, and pays for each once', async () => {
    await newCustomer()
    expect(await take(baize.listRegisterChanges(filters))).toEqual(whole)
    expect(await spent()).toBe(whole.length)
  })

  test('an iteration over a feed pays for a page only when its first row is needed', async () => {
    await newCustomer()
    const feed = baize.listRegisterChanges(filters)
    expect(await take(feed, 3)).toEqual(whole.slice(0, 3))
    expect(await spent()).toBe(3)
  })

  test('an interrupted iteration continues at the same row', async () => {
    await newCustomer()
    const feed = baize.listRegisterChanges(filters)
    const parts = [await take(feed, 2), await take(feed, 5), await take(feed), await take(feed)]
    expect(parts.flat()).toEqual(whole)
    expect(await spent()).toBe(whole.length)
  })

  test('awaiting an iteration returns the first page, which is not paid again by iterating', async () => {
    await newCustomer()
    const feed = baize.listRegisterChanges(filters)
    expect((await feed).signals.map(({ signal_ref }) => signal_ref)).toEqual(whole.slice(0, 3))
    expect(await take(feed)).toEqual(whole)
    expect(await spent()).toBe(whole.length)
  })

  test('an iteration continues from its cursor without a gap, a repetition or a second payment', async () => {
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

  test('an iteration from a cursor saved before a page was requested pays for that page once', async () => {
    await newCustomer()
    const killed = baize.listRegisterChanges(filters, { maxCredits: 100 })
    const { cursor } = killed
    await take(killed, 1)
    expect(await take(baize.listRegisterChanges(filters, { cursor, maxCredits: 100 }))).toEqual(whole)
    expect(await spent()).toBe(whole.length)
  })

  test('an iteration over a feed also starts from a next_cursor of the API', async () => {
    await newCustomer()
    const { next_cursor } = await baize.listRegisterChanges(filters)
    const refs = await take(baize.listRegisterChanges(filters, { cursor: next_cursor ?? '' }))
    expect(refs).toEqual(whole.slice(3))
    expect(await take(baize.listRegisterChanges({ ...filters, after: next_cursor ?? '' }))).toEqual(refs)
  })

  test('an iteration over a feed survives lost answers', async () => {
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

  test('an iteration over the pages of a feed gives the state of its sources', async () => {
    await newCustomer()
    const pages = await Array.fromAsync(baize.listRegisterChanges(filters).pages())
    expect(pages.flatMap(({ signals }) => signals.map(({ signal_ref }) => signal_ref))).toEqual(whole)
    expect(pages[0]?.sources).toMatchObject([
      { source_stream_key: 'ukgc.licences', truth_state: expect.any(String) },
    ])
  })

  test('an iteration that continues within a replayed page finds newer rows', async () => {
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

  test('an iteration over a feed of a market without a source ends at once', async () => {
    await newCustomer()
    expect(await take(baize.listRegisterChanges({ jurisdiction: 'peru' }))).toEqual([])
  })

  test('an iteration requests new rows after pollSeconds until its signal ends it', async () => {
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
    // The first three pages have rows; later requests reach the end of the feed.
    proxy.onAnswer = number => {
      if (number === 6) stop.abort(new Error('enough'))
    }
    await expect(follow()).rejects.toThrow('enough')
    proxy.onAnswer = null
    expect(refs).toEqual(whole.slice(3))
    expect(new Set(proxy.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(proxy.seen.length)
  })
})

describe('the option maxCredits', () => {
  test('maxCredits ends an iteration with an error before the iteration spends more', async () => {
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

  test('an iteration with a raised maxCredits continues where the smaller limit ended it', async () => {
    await newCustomer()
    const first = baize.listRegisterChanges(filters, { maxCredits: 4 })
    await expect(take(first)).rejects.toThrow(MaxCreditsExceededError)
    const second = baize.listRegisterChanges(filters, { cursor: first.cursor, maxCredits: 100 })
    expect(await take(second)).toEqual(whole.slice(3))
    expect(await spent()).toBe(whole.length)
  })

  test('maxCredits equal to the price of a whole feed suffices for the feed', async () => {
    await newCustomer()
    const feed = baize.listRegisterChanges(filters, { maxCredits: whole.length })
    expect(await take(feed)).toEqual(whole)
  })

  test('a page that costs more than max_credits is refused although maxCredits allows it', async () => {
    await newCustomer()
    const feed = baize.listRegisterChanges({ ...filters, max_credits: 2 }, { maxCredits: 100 })
    await expect(take(feed)).rejects.toThrow(MaxCreditsExceededError)
    expect(await spent()).toBe(0)
  })
})

describe('iterations over a search', () => {
  const all = { verdict: 'blocklisted' } as const

  test('an iteration over a search gives every row once', async () => {
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

  test('an iteration over a search continues from the cursor of each row, also of the last one', async () => {
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

  test('an iteration over a search that finds nothing has no rows', async () => {
    await newCustomer()
    const hits = await Array.fromAsync(baize.searchCompanies({ q: 'nobody has this name' }))
    expect(hits).toEqual([])
  })

  test('an iteration over people has no rows if the answer omits them', async () => {
    await newCustomer()
    const { hits } = await baize.searchCompanies({ q: 'Ottermoor' })
    const company_ref = hits[0]?.company_ref ?? ''
    expect(await Array.fromAsync(baize.listPeople({ company_ref, count_only: true }))).toEqual([])
  })
})

test('a cursor past the end of a page that has become shorter continues with the next page', async () => {
  const sent: string[] = []
  const fetch = async (url: string | URL | Request) => {
    const after = new URL(String(url)).searchParams.get('after')
    sent.push(String(after))
    const signals = after === null ? [{ signal_ref: 'one' }] : [{ signal_ref: 'last' }]
    const data = { signals, next_cursor: after === null ? 'second' : 'end', has_more: after === null }
    return new Response(JSON.stringify({ success: true, data }))
  }
  const client = new Baize({ apiKey: 'client_x', fetch })
  // This cursor is after five rows of the first page.
  const cursor = `p1.${btoa(JSON.stringify([null, 'key', null, 5])).replaceAll('=', '')}`
  expect(await take(client.listRegisterChanges({ jurisdiction: 'ukgc' }, { cursor }))).toEqual(['last'])
  expect(sent).toEqual(['null', 'second'])
})

test('the service refuses a cursor that is sent with other filters', async () => {
  await newCustomer()
  const feed = baize.listRegisterChanges(filters)
  await take(feed, 3)
  const other = baize.listRegisterChanges({ jurisdiction: 'italy' }, { cursor: feed.cursor })
  await expect(take(other)).rejects.toThrow(CursorFilterMismatchError)
})

test.each(['p1.', 'p1.%%', 'p1.e30', 'p1.WzEsMiwzLDRd'])('the client refuses the cursor %s', cursor => {
  expect(() => baize.listRegisterChanges(filters, { cursor })).toThrow(BaizeError)
})
