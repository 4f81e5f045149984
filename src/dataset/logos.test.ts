import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { drawing, logoLine } from '../features/logos/fixture.ts'
import { verifyLogoSubjects } from '../features/logos/index.ts'
import { openFileStore } from '../files/index.ts'
import { type Line, later, loadedAt, openTestWorld, type TestWorld } from './fixture.ts'
import { importFiles } from './index.ts'

let held: TestWorld
let elsewhere: string
beforeAll(async () => {
  held = await openTestWorld()
  elsewhere = await mkdtemp(join(tmpdir(), 'baize-elsewhere-'))
  await put('a.svg', drawing(1))
  await put('b.svg', drawing(2))
  await put('deep/c.svg', drawing(3))
})
afterAll(async () => {
  await held.close()
  await rm(elsewhere, { recursive: true, force: true })
})

async function put(name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(join(held.directory, 'deep'), { recursive: true })
  await writeFile(join(held.directory, name), content)
}

const named = (content: string, extension = 'svg') =>
  `${createHash('sha256').update(content).digest('hex')}.${extension}`
const line = (rest: Line = {}) => logoLine('game', 'otter-splash', 'Otter Splash', rest)

type Row = { file_name: string; status: string; first_seen_at: Date; superseded_at: Date | null }
async function logos(): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select file_name, status, first_seen_at, superseded_at from logos order by first_seen_at, file_name`.execute(
    held.world.database,
  )
  return rows
}

async function reasonOf(lines: Line | string, options: object = {}): Promise<string> {
  const report = await held.load([lines], options)
  expect(report.loaded).toEqual({})
  expect(await logos()).toEqual([])
  return report.rejects[0]?.reason ?? 'nothing was wrong'
}

describe('the image of a line', () => {
  beforeEach(() => held.empty())

  test('is what its bytes are, whatever it is called, and is kept under the name of its content', async () => {
    const png = await sharp({ create: { width: 7, height: 5, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    await put('logo.svg', png)
    expect((await held.load([line({ file: 'logo.svg' })])).loaded).toEqual({
      logo: { added: 1, changed: 0, unchanged: 0 },
    })
    const { rows } =
      await sql`select variant, theme, format, width, height, file_name, source, status from logos`.execute(
        held.world.database,
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
    expect((await held.files.find(`logos/${file_name}`))?.bytes).toBe(png.length)
  })

  test('of a drawing is kept as it was made anew', async () => {
    await put('hostile.svg', drawing(4).replace('<path', '<script>alert(1)</script><path onclick="x"'))
    await held.load([line({ file: 'hostile.svg' })])
    expect((await logos())[0]?.file_name).toBe(named(drawing(4)))
  })

  test('is found below the folder of its file, also of a packed one', async () => {
    const packed = join(held.directory, 'packed.ndjson.gz')
    await writeFile(packed, gzipSync(`${JSON.stringify(line({ file: './deep/c.svg' }))}\n`))
    const report = await importFiles(held.world, [packed], {
      mode: 'strict',
      now: loadedAt,
      files: held.files,
    })
    expect(report.loaded).toEqual({ logo: { added: 1, changed: 0, unchanged: 0 } })
  })

  test('may be left out: then the line states a subject without a logo', async () => {
    await held.load([line()])
    expect(await logos()).toEqual([])
    expect(await held.dump()).toEqual([JSON.stringify(line())])
    expect((await held.load([line()])).loaded).toEqual({ logo: { added: 0, changed: 0, unchanged: 1 } })
  })
})

describe('a line is bad', () => {
  beforeAll(() => held.empty())

  test.each([
    ['../a.svg', 'file: "../a.svg" is not below the folder of this file'],
    ['deep/../../a.svg', 'file: "deep/../../a.svg" is not below the folder of this file'],
    ['deep\\..\\..\\a.svg', /is not below the folder of this file$/],
    ['/etc/passwd', 'file: "/etc/passwd" is not below the folder of this file'],
    ['nothing.svg', 'file: "nothing.svg" does not exist below the folder of this file'],
    ['a.svg/b', 'file: "a.svg/b" does not exist below the folder of this file'],
    ['deep', 'file: "deep" is not a file'],
    ['.', 'file: "." is not below the folder of this file'],
    [`${'0'.repeat(64)}.svg`, /^file: there is no "0+…/],
    ['x'.repeat(2_000), /^file: there is no "x+…/],
  ])('whose file is %s', async (file, reason) => {
    const told = await reasonOf(line({ file }))
    if (reason instanceof RegExp) expect(told).toMatch(reason)
    else expect(told).toBe(reason)
  })

  test('whose file is a link that leads out of the folder', async () => {
    await writeFile(join(elsewhere, 'secret.svg'), drawing(9))
    await symlink(join(elsewhere, 'secret.svg'), join(held.directory, 'link.svg'))
    await symlink(elsewhere, join(held.directory, 'linked'))
    expect(await reasonOf(line({ file: 'link.svg' }))).toMatch(/is not below the folder/)
    expect(await reasonOf(line({ file: 'linked/secret.svg' }))).toMatch(/is not below the folder/)
  })

  test.skipIf(process.platform === 'win32')('whose file is a pipe, which nobody waits for', async () => {
    execFileSync('mkfifo', [join(held.directory, 'pipe.svg')])
    expect(await reasonOf(line({ file: 'pipe.svg' }))).toBe('file: "pipe.svg" is not a file')
  })

  test.each([
    ['a page', '<html/>', 'is XML but not an SVG'],
    ['text', 'otter', 'is not an SVG, PNG, JPEG, WebP or GIF'],
    ['nothing', '', 'is empty'],
    ['an SVG without a shape', '<svg><use href="x"/></svg>', 'has no element that can be shown'],
    ['three megabytes', Buffer.alloc(3 * 1024 * 1024, 'x'), 'has more than 2097152 bytes'],
  ])('whose file is %s', async (_what, content, reason) => {
    await put('bad.svg', content)
    expect(await reasonOf(line({ file: 'bad.svg' }))).toBe(`file: "bad.svg" ${reason}`)
  })

  test('that names a file where nothing is kept', async () => {
    expect(await reasonOf(line({ file: 'a.svg' }), { files: undefined })).toBe(
      'file: this import has no file store',
    )
  })

  test.each([
    [{ slug: 'Otter' }, /^slug: must be small letters and digits, with single hyphens inside/],
    [{ slug: 'otter--splash' }, /^slug: must be small letters/],
    [{ subject_kind: 'brand' }, /^subject_kind: must be one of operator_brand, company/],
    [{ theme: 'Light' }, /^theme: must be small letters and digits, with .* underscores inside/],
    [{ variant: '../x' }, /^variant: must be small letters/],
    [{ source: 'hearsay' }, /^source: must be one of/],
    [{ domain: 'nonsense' }, /^domain: "nonsense" is not a domain/],
    [{ role: ['king'] }, /^role\[0\]: must be one of/],
    [{ superseded_at: '2025-01-01T00:00:00Z' }, 'superseded_at stands only with a status other than current'],
    [
      { status: 'superseded', first_seen_at: '2025-02-01T00:00:00Z', superseded_at: '2025-01-01T00:00:00Z' },
      'first_seen_at lies after superseded_at',
    ],
  ])('that says %j', async (rest, reason) => {
    const told = await reasonOf(line({ file: 'a.svg', ...rest }))
    if (reason instanceof RegExp) expect(told).toMatch(reason)
    else expect(told).toBe(reason)
  })
})

test('a bad image keeps a strict import from loading anything, and another from loading its line alone', async () => {
  await held.empty()
  const lines = [line({ file: 'a.svg' }), line({ file: 'missing.svg', theme: 'dark' })]
  const strict = await held.load(lines)
  expect([strict.rejected, strict.rejects[0]?.line, strict.loaded]).toEqual([1, 2, {}])
  const lenient = await held.load(lines, { mode: 'skip-invalid' })
  expect(lenient).toMatchObject({ rejected: 1, loaded: { logo: { added: 1, changed: 0, unchanged: 0 } } })
})

describe('loaded again', () => {
  beforeEach(() => held.empty())

  test('the same changes nothing, not even a year later', async () => {
    const lines = [
      line({ file: 'a.svg', domain: 'otter.example', role: ['game_studio'] }),
      line({ file: 'b.svg', domain: 'otter.example', role: ['game_studio'], theme: 'dark' }),
    ]
    await held.load(lines)
    const before = await held.dump()
    expect((await held.load(lines, { now: later })).loaded).toEqual({
      logo: { added: 0, changed: 0, unchanged: 2 },
    })
    expect(await held.dump()).toEqual(before)
  })

  test('another image takes the place of the one before, which stays as history', async () => {
    await held.load([line({ file: 'a.svg' })])
    await held.load([line({ file: 'b.svg' })], { now: later })
    expect(await logos()).toEqual([
      { file_name: named(drawing(1)), status: 'superseded', first_seen_at: loadedAt, superseded_at: later },
      { file_name: named(drawing(2)), status: 'current', first_seen_at: later, superseded_at: null },
    ])
  })

  test('a subject that is stated otherwise is changed', async () => {
    await held.load([line()])
    const changed = { ...line(), name: 'Otter Splash Deluxe' }
    expect((await held.load([changed])).loaded).toEqual({ logo: { added: 0, changed: 1, unchanged: 0 } })
    expect(await held.dump()).toEqual([JSON.stringify(changed)])
    expect((await verifyLogoSubjects(held.world.database)).differences).toEqual([])
  })

  test('many subjects are merged, each with all of its lines', async () => {
    const lines = Array.from({ length: 1_200 }, (_, index) =>
      logoLine('game', `game-${index % 600}`, `Game ${index % 600}`, {
        file: index < 600 ? 'a.svg' : 'b.svg',
        theme: index < 600 ? 'light' : 'dark',
      }),
    )
    expect((await held.load(lines)).loaded).toEqual({ logo: { added: 1_200, changed: 0, unchanged: 0 } })
    expect((await held.load(lines)).loaded).toEqual({ logo: { added: 0, changed: 0, unchanged: 1_200 } })
  })
})

describe('a dump', () => {
  beforeEach(() => held.empty())

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

  test('tells every image and its history, by the names under which they are stored', async () => {
    await held.load(world)
    await held.load([logoLine('company', 'acme-group', 'Acme', { domain: 'acme.example', file: 'b.svg' })], {
      now: later,
    })
    const dumped = (await held.dump())
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

  test('loads back to the same over the same files, into an empty world and over its own', async () => {
    await held.load(world)
    await held.load([{ ...line({ file: 'a.svg' }), status: 'withdrawn' }], { now: later })
    const dumped = await held.dump()
    expect((await held.load(dumped, { now: later })).loaded.logo).toMatchObject({ added: 0, changed: 0 })
    expect(await held.dump()).toEqual(dumped)
    await held.empty()
    expect(await held.load(dumped, { now: later })).toMatchObject({ rejected: 0 })
    expect(await held.dump()).toEqual(dumped)
  })

  test('loads anywhere with the stored files beside it, and nowhere without them', async () => {
    await held.load(world)
    const dumped = await held.dump()
    await held.empty()
    const files = openFileStore({ kind: 'folder', path: join(elsewhere, 'store') })
    const file = join(elsewhere, 'dump.ndjson')
    await writeFile(file, dumped.map(each => `${each}\n`).join(''))
    const load = () => importFiles(held.world, [file], { mode: 'strict', now: later, files })
    expect((await load()).rejected).toBe(3)
    await cp(join(held.directory, 'store', 'logos'), elsewhere, { recursive: true })
    expect((await load()).rejected).toBe(0)
    expect(await held.dump()).toEqual(dumped)
    expect((await files.find(`logos/${named(drawing(1))}`))?.bytes).toBe(drawing(1).length)
  })

  test('takes no stored file that is not what its name says', async () => {
    const name = `${'a'.repeat(64)}.svg`
    const files = openFileStore({ kind: 'folder', path: join(elsewhere, 'false') })
    await mkdir(join(elsewhere, 'false', 'logos'), { recursive: true })
    await writeFile(join(elsewhere, 'false', 'logos', name), drawing(1))
    expect(await reasonOf(line({ file: name }), { files })).toMatch(
      /is stored, but does not match the digest in its name$/,
    )
  })
})
