import { readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { syncRegister } from '../apply/sync-register.ts'
import { day, openTestWorld, type TestWorld } from '../fixture.ts'
import { fileOfBytes } from '../source/file-of-bytes.ts'
import { encodings } from '../source/source-text.ts'
import { gather } from '../streams/fixture.ts'
import { dateForms, descriptionSchema, statuses } from './description-schema.ts'
import { formats } from './file-forms.ts'
import { described } from './fixture.ts'

const docs = new URL('../../../docs/', import.meta.url)
const page = readFileSync(new URL('describing-a-register.md', docs), 'utf8')
const example = (name: string) => readFileSync(new URL(`examples/${name}`, docs), 'utf8')

type Node = TSchema & {
  properties?: Record<string, Node>
  additionalProperties?: Node | false
  shape?: string
}

/** Key paths such as `records.license.status`; a shared shape is listed once with its keys. */
function keysOf(schema: Node, path: string[] = []): string[] {
  if (schema.shape !== undefined) {
    const shape = schema.shape
    return [path.join('.'), ...Object.keys(schema.properties ?? {}).map(key => `${shape}: ${key}`)]
  }
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([key, value]) => keysOf(value, [...path, key]))
  if (typeof schema.additionalProperties === 'object')
    return keysOf(schema.additionalProperties, [...path, '*'])
  return [path.join('.')]
}

const keys = new Set(formats.flatMap(format => keysOf(descriptionSchema(format) as Node)))

/** The first cell of a row names its shape; an empty one repeats the shape above. */
function shapesOnPage(): Set<string> {
  const found = new Set<string>()
  let shape = ''
  for (const line of page.slice(page.indexOf('## The shapes')).split('\n')) {
    const [, first = '', second = ''] = line.split('|').map(cell => cell.trim())
    if (first !== '') shape = first
    for (const [, key] of second.matchAll(/`(\w+)`/g)) found.add(`${shape}: ${key}`)
  }
  return found
}

describe('the page documents the schema', () => {
  const shapes = shapesOnPage()

  test('every key has a row', () => {
    expect(keys.size).toBeGreaterThan(60)
    expect([...keys].filter(key => !page.includes(`| \`${key}\` |`) && !shapes.has(key))).toEqual([])
  })

  test('every row is a key', () => {
    const rows = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(match => match[1] as string)
    expect(rows.filter(row => !keys.has(row))).toEqual([])
    expect([...shapes].filter(key => !keys.has(key))).toEqual([])
  })

  test('every accepted word is on the page', () => {
    const words = [...formats, ...encodings, ...dateForms, ...statuses]
    expect(words.filter(word => !page.includes(`\`${word}\``))).toEqual([])
  })
})

describe('the worked example', () => {
  const stream = described(example('jersey-operators.yaml'))
  const file = fileOfBytes('jersey-operators.csv', example('jersey-operators.csv'))

  test('is on the page unchanged', () => {
    expect(page).toContain(`\`\`\`yaml\n${example('jersey-operators.yaml')}\`\`\``)
    expect(page).toContain(`\`\`\`csv\n${example('jersey-operators.csv')}\`\`\``)
  })

  test('gives the records the page shows', async () => {
    const list = await gather(stream.read([file]))
    expect(list.licensee.map(row => [row.recordKey, row.legalName, row.country])).toEqual([
      ['4011', 'Lucky Otter Gaming Limited', 'JE'],
      ['4012', 'Golden Heron Games PLC', 'MT'],
      ['4013', 'Red Fox Supplies Ltd', 'JE'],
    ])
    expect(list.license.map(row => [row.licenseNumber, row.licenseType, row.status, row.role])).toEqual([
      ['RG-0007', 'Bingo; Casino', 'active', 'operator'],
      ['RG-0009', 'Casino', 'revoked', 'operator'],
      ['S-0002', 'Game supply', 'active', 'supplier'],
    ])
    expect(list.authorisation.map(row => [row.domain, row.licenseKey, row.counts])).toEqual([
      ['lucky-otter.example', 'RG-0007', true],
      ['otter-palace.example', 'RG-0007', true],
      ['golden-heron.example', 'RG-0009', false],
    ])
    expect(list.reject.map(each => `${each.line} ${each.reason}`)).toEqual([
      '4 duplicate',
      '7 unknown_status',
    ])
    expect(list.notice.map(each => each.published)).toEqual(['Total: 4 licences'])
  })

  describe('synced', () => {
    let testWorld: TestWorld
    beforeAll(async () => {
      testWorld = await openTestWorld()
    })
    afterAll(() => testWorld.close())

    test('gives verdicts like any register', async () => {
      const report = await syncRegister(testWorld.world, stream, [file], { takenAt: day(1), now: day(1) })
      expect(report).toMatchObject({ status: 'applied', rejected: 2 })
      expect(await testWorld.verdictOf('lucky-otter.example')).toMatch(/^licensed .*RG-0007/)
      expect(await testWorld.verdictOf('golden-heron.example')).toBe('no_record')
      expect(await testWorld.verdictOf('silver-carp.example')).toBeUndefined()
    })
  })
})
