import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { startDnsServer } from '../../test/small-internet/dns-server.ts'
import type { NameRecords } from '../../test/small-internet/scenario.ts'
import { checkRedirect } from './check-target.ts'
import { type FetchFileOptions, fetchFile } from './fetch-file.ts'
import { fileAnswer, networkAllowing, startTestServer, type TestServer } from './fixture.ts'
import type { NetworkSettings } from './network-settings.ts'
import { OutboundError, type OutboundReason } from './outbound-error.ts'

let server: TestServer
let other: TestServer
/** The temporary directory of these tests shows files that were left behind. */
let directory: TestDirectory

beforeAll(async () => {
  directory = await createTestDirectory()
  vi.stubEnv('TMPDIR', directory.path)
  server = await startTestServer()
  other = await startTestServer()
})
beforeEach(() => {
  server.requests.length = 0
  other.requests.length = 0
})
afterEach(async () => {
  expect(await readdir(directory.path)).toEqual([])
})
afterAll(async () => {
  await server.close()
  await other.close()
  vi.unstubAllEnvs()
  await directory.remove()
})

type Options = Partial<FetchFileOptions>

const ask = (url: string, options: Options = {}) =>
  fetchFile({ url, bytesMax: 1_000_000, timeoutMs: 5_000, network: networkAllowing(server.host), ...options })

/** Returns the content of a fetched file and disposes of it. */
async function contentOf(url: string, options: Options = {}): Promise<string> {
  const outcome = await ask(url, options)
  if (outcome.status !== 'fetched') throw new Error('not modified')
  await using file = outcome.file
  return read(file.open())
}

async function read(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = []
  for await (const chunk of chunks) read.push(chunk)
  return Buffer.concat(read).toString()
}

async function refusal(asked: Promise<unknown>): Promise<OutboundError> {
  const error = await asked.then(
    () => null,
    error => error,
  )
  expect(error).toBeInstanceOf(OutboundError)
  return error as OutboundError
}

describe('fixed requests', () => {
  const post = { type: 'application/json', body: '{"rows":"all"}' }

  test('a fixed body is sent by POST, and its answer is never conditional', async () => {
    server.answer('/rows', (response, { headers, body }) =>
      response.end(`${headers['content-type']} ${body} ${headers['if-none-match'] ?? 'unconditional'}`),
    )
    expect(await contentOf(`${server.url}/rows`, { post, etag: '"1"' })).toBe(
      'application/json {"rows":"all"} unconditional',
    )
  })

  test('a fixed body is sent again after a redirect that keeps the method alone', async () => {
    server.answer('/rows', (response, { body }) => response.end(`body ${body}`))
    server.answer('/moved', response => response.writeHead(308, { location: '/rows' }).end())
    server.answer('/other', response => response.writeHead(303, { location: '/rows' }).end())
    expect(await contentOf(`${server.url}/moved`, { post })).toBe('body {"rows":"all"}')
    expect(await contentOf(`${server.url}/other`, { post })).toBe('body ')
  })
})

/** Runs with a separate name server that knows `lists.example`. */
async function withName(
  records: NameRecords,
  run: (network: NetworkSettings, queries: { type: string }[]) => Promise<void>,
): Promise<void> {
  const dns = await startDnsServer(new Map([['lists.example', records]]))
  await run({ ...networkAllowing(), dnsServers: [`127.0.0.1:${dns.port}`] }, dns.queries)
  await dns.close()
}

describe('a fetched file', () => {
  test('a file is fetched with its validators and can be read repeatedly', async () => {
    const content = 'otter\n'.repeat(50_000)
    server.answer('/list.txt', fileAnswer(content, '"v1"'))
    const outcome = await ask(`${server.url}/list.txt`)
    if (outcome.status !== 'fetched') throw new Error('not modified')
    await using file = outcome.file
    expect(outcome).toMatchObject({
      etag: '"v1"',
      lastModified: 'Mon, 05 Jan 2026 00:00:00 GMT',
      finalUrl: `${server.url}/list.txt`,
    })
    expect(file.bytes).toBe(content.length)
    const digests = await Promise.all([read(file.open()), read(file.open())])
    const digest = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(digests.map(digest)).toEqual([digest(content), digest(content)])
  })

  test('a file is requested with an identifying user agent', async () => {
    server.answer('/list.txt', fileAnswer('otter', '"v1"'))
    await contentOf(`${server.url}/list.txt`)
    expect(server.requests[0]?.headers['user-agent']).toMatch(/^Baize\b/)
    expect(server.requests[0]?.headers).not.toHaveProperty('if-none-match')
  })

  test('a file that has not changed since the last fetch is not transferred again', async () => {
    server.answer('/list.txt', fileAnswer('otter', '"v1"'))
    const again = await ask(`${server.url}/list.txt`, {
      etag: '"v1"',
      lastModified: 'Mon, 05 Jan 2026 00:00:00 GMT',
    })
    expect(again).toEqual({ status: 'not_modified', finalUrl: `${server.url}/list.txt` })
    expect(server.requests[0]?.headers['if-modified-since']).toBe('Mon, 05 Jan 2026 00:00:00 GMT')
    expect(await contentOf(`${server.url}/list.txt`, { etag: '"v0"' })).toBe('otter')
  })

  test('a file is refused if the server responds 304 to an unconditional request', async () => {
    server.answer('/odd', response => response.writeHead(304).end())
    expect(await refusal(ask(`${server.url}/odd`))).toMatchObject({
      reason: 'bad_status',
      isTransient: false,
    })
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('a file with content encoding %s is unpacked', async (encoding, pack) => {
    server.answer('/packed', response =>
      response.writeHead(200, { 'content-encoding': encoding }).end(pack('lucky-otter.example')),
    )
    expect(await contentOf(`${server.url}/packed`)).toBe('lucky-otter.example')
  })

  test.each(['"\u00e9"', `"${'x'.repeat(300)}"`])(
    'a file whose validator cannot be sent back is always fetched again: %s',
    async etag => {
      server.answer('/odd', response => response.writeHead(200, { etag }).end('otter'))
      const outcome = await ask(`${server.url}/odd`)
      if (outcome.status !== 'fetched') throw new Error('not modified')
      await outcome.file.dispose()
      expect(outcome.etag).toBeNull()
    },
  )

  test('a file that is empty is refused', async () => {
    server.answer('/nothing', response => response.writeHead(200).end())
    expect(await refusal(ask(`${server.url}/nothing`))).toMatchObject({ reason: 'empty' })
  })

  test.each([
    [404, false],
    [401, false],
    [206, false],
    [500, true],
    [503, true],
    [429, true],
  ])('a file with status %i is refused, and whether a retry can help is %s', async (status, isTransient) => {
    server.answer('/status', response => response.writeHead(status).end('a page'))
    const error = await refusal(ask(`${server.url}/status`))
    expect(error).toMatchObject({ reason: 'bad_status', isTransient })
    expect(error.message).toBe(`${server.url}/status responded with status ${status}`)
  })
})

describe('a private address', () => {
  test('a private address is refused without a request, unless its host and port are allowed', async () => {
    server.answer('/list.txt', fileAnswer('otter', '"v1"'))
    for (const allowedHosts of [[], [`127.0.0.1:${server.port + 1}`], ['127.0.0.1']]) {
      expect(
        await refusal(ask(`${server.url}/list.txt`, { network: networkAllowing(...allowedHosts) })),
      ).toMatchObject({
        reason: 'refused_address',
        isTransient: false,
      })
    }
    expect(server.requests).toEqual([])
    expect(await contentOf(`${server.url}/list.txt`)).toBe('otter')
  })

  const spellings = [
    'http://2130706433',
    'http://0x7f.1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://0',
  ]
  test.each(spellings)('a private address is recognised in another spelling: %s', async origin => {
    expect(await refusal(ask(`${origin}:${server.port}/`, { network: networkAllowing() }))).toMatchObject({
      reason: 'refused_address',
    })
  })

  test('a host name that resolves to a private address is refused', () =>
    withName({ A: ['127.0.0.1'] }, async network => {
      const error = await refusal(ask(`http://lists.example:${server.port}/`, { network }))
      expect(error).toMatchObject({ reason: 'refused_address' })
      expect(error.message).toContain('lists.example resolves to 127.0.0.1')
      expect(server.requests).toEqual([])
    }))

  test('a host name is resolved again for each request, and refused if it became private', () =>
    withName({ A: ['93.184.215.14'], later: ['127.0.0.1'] }, async (network, queries) => {
      const connectTo = [{ host: null, port: 80, toHost: '127.0.0.1', toPort: server.port }]
      server.answer('/list.txt', fileAnswer('otter', '"v1"'))
      const options = { network: { ...network, connectTo } }
      expect(await contentOf('http://lists.example/list.txt', options)).toBe('otter')
      // The name was looked up once, so the connection cannot have another answer.
      expect(queries.map(({ type }) => type).toSorted()).toEqual(['A', 'AAAA'])
      expect(await refusal(ask('http://lists.example/list.txt', options))).toMatchObject({
        reason: 'refused_address',
      })
    }))

  test('a host name with a private address is fetched if its host and port are allowed', () =>
    withName({ A: ['127.0.0.1'] }, async network => {
      server.answer('/list.txt', fileAnswer('otter', '"v1"'))
      const allowing = { ...network, allowedHosts: [`lists.example:${server.port}`] }
      const url = `http://lists.example:${server.port}/list.txt`
      expect(await contentOf(url, { network: allowing })).toBe('otter')
    }))
})

test('a name that does not exist is unreachable', () =>
  withName({ A: [] }, async network => {
    const error = await refusal(ask('http://lists.example/list.txt', { network }))
    expect(error).toMatchObject({ reason: 'unreachable', isTransient: true })
    expect(error.message).toBe('http://lists.example/list.txt has a host name that does not resolve')
  }))

describe('a redirect of a file', () => {
  const redirect = (path: string, location: string) =>
    server.answer(path, response => response.writeHead(302, { location }).end())

  test('a redirect is followed, relative or absolute', async () => {
    redirect('/old', '/new')
    redirect('/new', `${server.url}/list.txt`)
    server.answer('/list.txt', fileAnswer('otter', '"v1"'))
    const outcome = await ask(`${server.url}/old`)
    if (outcome.status !== 'fetched') throw new Error('not modified')
    await outcome.file.dispose()
    expect(outcome.finalUrl).toBe(`${server.url}/list.txt`)
  })

  test('a redirect to a refused address sends no request there', async () => {
    redirect('/away', `${other.url}/secret`)
    expect(await refusal(ask(`${server.url}/away`))).toMatchObject({ reason: 'refused_address' })
    expect(other.requests).toEqual([])
  })

  test('a redirect in a loop is refused as too_many_redirects', async () => {
    redirect('/circle', '/circle')
    expect(await refusal(ask(`${server.url}/circle`))).toMatchObject({ reason: 'too_many_redirects' })
    expect(server.requests).toHaveLength(6)
  })

  test.each<[string, OutboundReason]>([
    ['file:///etc/passwd', 'not_http'],
    ['ftp://lists.example/', 'not_http'],
    ['http://user:letmein@lists.example/', 'credentials_in_url'],
    ['http://[', 'bad_url'],
  ])('a redirect to %s is refused: %s', async (location, reason) => {
    redirect('/odd', location)
    expect(await refusal(ask(`${server.url}/odd`))).toMatchObject({ reason })
  })
})

test('a redirect from https to http is refused, even to an allowed host', () => {
  const from = new URL('https://lists.example/list.txt')
  const allowed = ['lists.example:80']
  const follow = (location: string) => () => checkRedirect(from, location, allowed)
  expect(follow('http://lists.example/list.txt')).toThrow('redirects from https to http')
  expect(follow('http://lists.example/list.txt')).toThrow(OutboundError)
  expect(follow('/new.txt')().url.href).toBe('https://lists.example/new.txt')
})

describe('a URL that cannot be fetched', () => {
  test.each<[string, OutboundReason, string]>([
    ['has no scheme', 'bad_url', 'lists.example/list.txt'],
    ['is longer than any real one', 'bad_url', `https://lists.example/${'x'.repeat(3_000)}`],
    ['is of another protocol', 'not_http', 'ftp://lists.example/list.txt'],
    ['carries its own content', 'not_http', 'data:text/plain,otter'],
    ['carries credentials', 'credentials_in_url', 'https://user:letmein@lists.example/'],
    ['carries credentials and is none', 'bad_url', 'https://user:letmein@['],
  ])('a URL that %s is refused: %s', async (_what, reason, url) => {
    const error = await refusal(ask(url))
    expect(error).toMatchObject({ reason, isTransient: false })
    expect(error.message).not.toContain('letmein')
  })
})

describe('a hostile server of a file', () => {
  test('a server cannot make the client store more than the limit', async () => {
    server.answer('/large', response => response.end('x'.repeat(2_000)))
    expect(await refusal(ask(`${server.url}/large`, { bytesMax: 1_999 }))).toMatchObject({
      reason: 'too_large',
    })
    expect(await contentOf(`${server.url}/large`, { bytesMax: 2_000 })).toHaveLength(2_000)
  })

  test('a server cannot make the client unpack more than the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    expect(bomb.byteLength).toBeLessThan(100_000)
    server.answer('/bomb', response => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
    expect(await refusal(ask(`${server.url}/bomb`, { bytesMax: 100_000 }))).toMatchObject({
      reason: 'too_large',
    })
  })

  test('a server cannot make the client wait for a response that does not start', async () => {
    server.answer('/silent', () => {})
    const error = await refusal(ask(`${server.url}/silent`, { silenceMsMax: 30 }))
    expect(error).toMatchObject({ reason: 'timeout', isTransient: true })
    expect(error.message).toBe(`${server.url}/silent did not send a response in time`)
  })

  test('a server cannot make the client wait for the rest of a response beyond the timeout', async () => {
    server.answer('/stuck', response => void response.writeHead(200).write('otter'))
    const error = await refusal(ask(`${server.url}/stuck`, { silenceMsMax: 30 }))
    expect(error.message).toBe(`${server.url}/stuck stopped in the middle of its response`)
  })

  test('a server cannot make the client read one byte at a time for longer than the timeout', async () => {
    server.answer('/drip', response => {
      const drip = setInterval(() => response.write('x'), 5)
      response.on('close', () => clearInterval(drip))
    })
    const error = await refusal(ask(`${server.url}/drip`, { timeoutMs: 100 }))
    expect(error).toMatchObject({ reason: 'timeout' })
    expect(error.message).toBe(`${server.url}/drip took longer than 100 ms`)
  })

  test('a server cannot make the client accept a truncated compressed file', async () => {
    const packed = gzipSync('otter'.repeat(1_000))
    const half = packed.subarray(0, packed.byteLength / 2)
    server.answer('/half', response => response.writeHead(200, { 'content-encoding': 'gzip' }).end(half))
    expect(await refusal(ask(`${server.url}/half`))).toMatchObject({ reason: 'broken', isTransient: true })
  })

  test('a server cannot make the client accept a truncated file', async () => {
    server.answer('/short', response => {
      response.writeHead(200, { 'content-length': '1000' }).write('otter', () => response.destroy())
    })
    expect(await refusal(ask(`${server.url}/short`))).toMatchObject({ reason: 'broken' })
  })

  test('a server cannot make the client accept an encoding that was not requested', async () => {
    server.answer('/odd', response => response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('x'))
    expect(await refusal(ask(`${server.url}/odd`))).toMatchObject({ reason: 'unknown_encoding' })
  })
})

test('an unreachable server of a file is reported', async () => {
  const gone = createServer()
  await new Promise<void>(settle => gone.listen(0, '127.0.0.1', settle))
  const { port } = gone.address() as { port: number }
  await new Promise(settle => gone.close(settle))
  const error = await refusal(
    ask(`http://127.0.0.1:${port}/list`, { network: networkAllowing(`127.0.0.1:${port}`) }),
  )
  expect(error).toMatchObject({ reason: 'unreachable', isTransient: true })
  expect(error.message).toBe(`http://127.0.0.1:${port}/list refuses connections`)
})

test('a fetch ends when the process stops', async () => {
  const stop = new AbortController()
  server.answer('/slow', response => {
    response.writeHead(200).write('otter')
    stop.abort()
  })
  expect(await refusal(ask(`${server.url}/slow`, { signal: stop.signal }))).toMatchObject({
    reason: 'stopped',
  })
})

test('no error message contains the query of a URL, which may contain a token', async () => {
  const error = await refusal(ask(`${server.url}/missing?token=secret`))
  expect(error.message).toBe(`${server.url}/missing responded with status 404`)
})
