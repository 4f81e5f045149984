import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openFileStore } from '@baize/files'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { drawing, logoLine } from '../features/logos/fixture.ts'
import { verifyLogoSubjects } from '../features/logos/index.ts'
import { type Line, later, loadedAt, openTestWorld, type TestWorld } from './fixture.ts'
import { importFiles } from './index.ts'

let testWorld: TestWorld
let elsewhere: string
beforeAll(async () => {
  testWorld = await openTestWorld()
  elsewhere = await mkdtemp(join(tmpdir(), 'baize-elsewhere-'))
  await put('a.svg', drawing(1))
  await put('b.svg', drawing(2))
  await put('deep/c.svg', drawing(3))
})
afterAll(async () => {
  await testWorld.close()
  await rm(elsewhere, { recursive: true, force: true })
})

async function put(name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(join(testWorld.directory, 'deep'), { recursive: true })
  await writeFile(join(testWorld.directory, name), content)
}

const named = (content: string, extension = 'svg') =>
  `${createHash('sha256').update(content).digest('hex')}.${extension}`
const line = (rest: Line = {}) => logoLine('game', 'otter-splash', 'Otter Splash', rest)

type Row = { file_name: string; status: string; first_seen_at: Date; superseded_at: Date | null }
async function logos(): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select file_name, status, first_seen_at, superseded_at
      from logos
     order by first_seen_at, file_name`.execute(testWorld.world.database)
  return rows
}

async function reasonOf(lines: Line | string, options: object = {}): Promise<string> {
  const report = await testWorld.load([lines], options)
  expect(report.loaded).toEqual({})
  expect(await logos()).toEqual([])
  return report.rejects[0]?.reason ?? 'nothing was wrong'
}

describe('the image of a logo line', () => {
  beforeEach(() => testWorld.empty())

  test('an image is recognised by its bytes, not its name, and stored under its digest', async () => {
    const png = await sharp({ create: { width: 7, height: 5, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    await put('logo.svg', png)
    expect((await testWorld.load([line({ file: 'logo.svg' })])).loaded).toEqual({
      logo: { added: 1, changed: 0, unchanged: 0 },
    })
    const { rows } =
      await sql`select variant, theme, format, width, height, file_name, source, status from logos`.execute(
        testWorld.world.database,
      )
    const file_name = `${createHash('sha256').update(png).digest('hex')}.png`
    expect(rows).toEqual([
      {
        variant: 'logo',
        theme: 'light',
        format: 'png',
        width: 7,
        height: 5,
        file_name,
        source: 'catalog',
        status: 'current',
      },
    ])
    expect((await testWorld.files.find(`logos/${file_name}`))?.bytes).toBe(png.length)
  })

  test('the image of a line is stored cleaned if it is a drawing', async () => {
    await put('hostile.svg', drawing(4).replace('<path', '<script>alert(1)</script><path onclick="x"'))
    await testWorld.load([line({ file: 'hostile.svg' })])
    expect((await logos())[0]?.file_name).toBe(named(drawing(4)))
  })

  test('the image of a line is found below the folder of its file, gzipped or not', async () => {
    const packed = join(testWorld.directory, 'packed.ndjson.gz')
    await writeFile(packed, gzipSync(`${JSON.stringify(line({ file: './deep/c.svg' }))}\n`))
    const report = await importFiles(testWorld.world, [packed], {
      mode: 'strict',
      now: loadedAt,
      files: testWorld.files,
    })
    expect(report.loaded).toEqual({ logo: { added: 1, changed: 0, unchanged: 0 } })
  })

  test('the image of a line may be omitted: the line then describes a subject without a logo', async () => {
    await testWorld.load([line()])
    expect(await logos()).toEqual([])
    expect(await testWorld.dump()).toEqual([JSON.stringify(line())])
    expect((await testWorld.load([line()])).loaded).toEqual({ logo: { added: 0, changed: 0, unchanged: 1 } })
  })
})

describe('a logo line that is bad', () => {
  beforeAll(() => testWorld.empty())

  test.each([
    ['../a.svg', 'file: "../a.svg" is not below the folder of this file'],
    ['deep/../../a.svg', 'file: "deep/../../a.svg" is not below the folder of this file'],
    ['deep\\..\\..\\a.svg', /is not below the folder of this file$/],
    ['/etc/passwd', 'file: "/etc/passwd" is not below the folder of this file'],
    ['nothing.svg', 'file: "nothing.svg" does not exist below the folder of this file'],
    ['a.svg/b', 'file: "a.svg/b" does not exist below the folder of this file'],
    ['deep', 'file: "deep" is not a file'],
    ['.', 'file: "." is not below the folder of this file'],
    [`${'0'.repeat(64)}.svg`, /^file: "0+…" does not exist/],
    ['x'.repeat(2_000), /^file: "x+…" does not exist/],
  ])('a logo line whose file is %s is rejected', async (file, reason) => {
    const rejection = await reasonOf(line({ file }))
    if (reason instanceof RegExp) expect(rejection).toMatch(reason)
    else expect(rejection).toBe(reason)
  })

  test('a logo line whose file is a link out of the folder is rejected', async () => {
    await writeFile(join(elsewhere, 'secret.svg'), drawing(9))
    await symlink(join(elsewhere, 'secret.svg'), join(testWorld.directory, 'link.svg'))
    await symlink(elsewhere, join(testWorld.directory, 'linked'))
    expect(await reasonOf(line({ file: 'link.svg' }))).toMatch(/is not below the folder/)
    expect(await reasonOf(line({ file: 'linked/secret.svg' }))).toMatch(/is not below the folder/)
  })

  test.skipIf(process.platform === 'win32')(
    'a logo line whose file is a pipe is rejected, without waiting for it',
    async () => {
      execFileSync('mkfifo', [join(testWorld.directory, 'pipe.svg')])
      expect(await reasonOf(line({ file: 'pipe.svg' }))).toBe('file: "pipe.svg" is not a file')
    },
  )

  test.each([
    ['a page', '<html/>', 'is XML but not an SVG'],
    ['text', 'otter', 'is not an SVG, PNG, JPEG, WebP or GIF'],
    ['nothing', '', 'is empty'],
    ['an SVG without a shape', '<svg><use href="x"/></svg>', 'has no element that can be shown'],
    ['three megabytes', Buffer.alloc(3 * 1024 * 1024, 'x'), 'has more than 2097152 bytes'],
  ])('a logo line whose file has %s is rejected', async (_what, content, reason) => {
    await put('bad.svg', content)
    expect(await reasonOf(line({ file: 'bad.svg' }))).toBe(`file: "bad.svg" ${reason}`)
  })

  test('a logo line that names a file is rejected when the import has no file store', async () => {
    expect(await reasonOf(line({ file: 'a.svg' }), { files: undefined })).toBe(
      'file: this import has no file store',
    )
  })

  test.each([
    [{ slug: 'Otter' }, /^slug: must be lowercase letters and digits, with single hyphens inside/],
    [{ slug: 'otter--splash' }, /^slug: must be lowercase letters/],
    [{ subject_kind: 'brand' }, /^subject_kind: must be one of operator_brand, company/],
    [{ theme: 'Light' }, /^theme: must be lowercase letters and digits, with .* underscores inside/],
    [{ variant: '../x' }, /^variant: must be lowercase letters/],
    [{ source: 'hearsay' }, /^source: must be one of/],
    [{ domain: 'nonsense' }, /^domain: "nonsense" is one word without a dot/],
    [{ role: ['king'] }, /^role\[0\]: must be one of/],
    [{ superseded_at: '2025-01-01T00:00:00Z' }, 'superseded_at needs a status other than current'],
    [
      { status: 'superseded', first_seen_at: '2025-02-01T00:00:00Z', superseded_at: '2025-01-01T00:00:00Z' },
      'first_seen_at is after superseded_at',
    ],
  ])('a logo line with %j is rejected', async (rest, reason) => {
    const rejection = await reasonOf(line({ file: 'a.svg', ...rest }))
    if (reason instanceof RegExp) expect(rejection).toMatch(reason)
    else expect(rejection).toBe(reason)
  })
})

test('a bad image rejects the whole strict import, and otherwise only its line', async () => {
  await testWorld.empty()
  const lines = [line({ file: 'a.svg' }), line({ file: 'missing.svg', theme: 'dark' })]
  const strict = await testWorld.load(lines)
  expect([strict.rejected, strict.rejects[0]?.line, strict.loaded]).toEqual([1, 2, {}])
  const lenient = await testWorld.load(lines, { mode: 'skip-invalid' })
  expect(lenient).toMatchObject({ rejected: 1, loaded: { logo: { added: 1, changed: 0, unchanged: 0 } } })
})

describe('logo lines that are loaded again', () => {
  beforeEach(() => testWorld.empty())

  test('loading the same logo lines a year later changes nothing', async () => {
    const lines = [
      line({ file: 'a.svg', domain: 'otter.example', role: ['game_studio'] }),
      line({ file: 'b.svg', domain: 'otter.example', role: ['game_studio'], theme: 'dark' }),
    ]
    await testWorld.load(lines)
    const before = await testWorld.dump()
    expect((await testWorld.load(lines, { now: later })).loaded).toEqual({
      logo: { added: 0, changed: 0, unchanged: 2 },
    })
    expect(await testWorld.dump()).toEqual(before)
  })

  test('another image of a logo replaces the previous one, which stays as history', async () => {
    await testWorld.load([line({ file: 'a.svg' })])
    await testWorld.load([line({ file: 'b.svg' })], { now: later })
    expect(await logos()).toEqual([
      { file_name: named(drawing(1)), status: 'superseded', first_seen_at: loadedAt, superseded_at: later },
      { file_name: named(drawing(2)), status: 'current', first_seen_at: later, superseded_at: null },
    ])
  })

  test('a changed subject of a logo is updated', async () => {
    await testWorld.load([line()])
    const changed = { ...line(), name: 'Otter Splash Deluxe' }
    expect((await testWorld.load([changed])).loaded).toEqual({ logo: { added: 0, changed: 1, unchanged: 0 } })
    expect(await testWorld.dump()).toEqual([JSON.stringify(changed)])
    expect((await verifyLogoSubjects(testWorld.world.database)).differences).toEqual([])
  })

  test('260 subjects with two logos each are loaded completely', async () => {
    const lines = Array.from({ length: 520 }, (_, index) =>
      logoLine('game', `game-${index % 260}`, `Game ${index % 260}`, {
        file: index < 260 ? 'a.svg' : 'b.svg',
        theme: index < 260 ? 'light' : 'dark',
      }),
    )
    expect((await testWorld.load(lines)).loaded).toEqual({ logo: { added: 520, changed: 0, unchanged: 0 } })
    expect((await testWorld.load(lines)).loaded).toEqual({ logo: { added: 0, changed: 0, unchanged: 520 } })
  })
})

describe('a dump of logos', () => {
  beforeEach(() => testWorld.empty())

  const world: Line[] = [
    { kind: 'company', key: 'acme', company_name: 'Acme', role: ['operator'], brands: ['Ace'] },
    logoLine('company', 'acme-group', 'Acme', { domain: 'acme.example', file: 'a.svg', source: 'website' }),
    logoLine('operator_brand', 'ace', 'Ace', {
      role: ['operator'],
      file: 'b.svg',
      theme: 'dark',
      variant: 'icon',
    }),
    line({ file: 'deep/c.svg', status: 'rejected' }),
  ]

  test('a dump lists every image and its history by stored name', async () => {
    await testWorld.load(world)
    await testWorld.load(
      [logoLine('company', 'acme-group', 'Acme', { domain: 'acme.example', file: 'b.svg' })],
      {
        now: later,
      },
    )
    const dumped = (await testWorld.dump())
      .filter(each => each.includes('"kind":"logo"'))
      .map(each => JSON.parse(each))
    const seen = { variant: 'logo', theme: 'light', first_seen_at: loadedAt.toISOString() }
    const acme = logoLine('company', 'acme-group', 'Acme', { domain: 'acme.example' })
    expect(dumped).toEqual([
      {
        ...acme,
        ...seen,
        file: named(drawing(1)),
        source: 'website',
        status: 'superseded',
        superseded_at: later.toISOString(),
      },
      { ...acme, ...seen, file: named(drawing(2)), source: 'catalog', first_seen_at: later.toISOString() },
      { ...line(), ...seen, file: named(drawing(3)), source: 'catalog', status: 'rejected' },
      {
        ...logoLine('operator_brand', 'ace', 'Ace', { role: ['operator'] }),
        ...seen,
        file: named(drawing(2)),
        source: 'catalog',
        theme: 'dark',
        variant: 'icon',
      },
    ])
  })

  test('a dump of logos loads back unchanged with the same file store, into any world', async () => {
    await testWorld.load(world)
    await testWorld.load([{ ...line({ file: 'a.svg' }), status: 'withdrawn' }], { now: later })
    const dumped = await testWorld.dump()
    expect((await testWorld.load(dumped, { now: later })).loaded.logo).toMatchObject({ added: 0, changed: 0 })
    expect(await testWorld.dump()).toEqual(dumped)
    await testWorld.empty()
    expect(await testWorld.load(dumped, { now: later })).toMatchObject({ rejected: 0 })
    expect(await testWorld.dump()).toEqual(dumped)
  })

  test('a dump of logos loads elsewhere only with the stored files beside it', async () => {
    await testWorld.load(world)
    const dumped = await testWorld.dump()
    await testWorld.empty()
    const files = openFileStore({ kind: 'folder', path: join(elsewhere, 'store') })
    const file = join(elsewhere, 'dump.ndjson')
    await writeFile(file, dumped.map(each => `${each}\n`).join(''))
    const load = () => importFiles(testWorld.world, [file], { mode: 'strict', now: later, files })
    expect((await load()).rejected).toBe(3)
    await cp(join(testWorld.directory, 'store', 'logos'), elsewhere, { recursive: true })
    expect((await load()).rejected).toBe(0)
    expect(await testWorld.dump()).toEqual(dumped)
    expect((await files.find(`logos/${named(drawing(1))}`))?.bytes).toBe(drawing(1).length)
  })

  test('a dump rejects a stored file that does not match its digest', async () => {
    const name = `${'a'.repeat(64)}.svg`
    const files = openFileStore({ kind: 'folder', path: join(elsewhere, 'false') })
    await mkdir(join(elsewhere, 'false', 'logos'), { recursive: true })
    await writeFile(join(elsewhere, 'false', 'logos', name), drawing(1))
    expect(await reasonOf(line({ file: name }), { files })).toMatch(
      /is stored, but does not match the digest in its name$/,
    )
  })
})
