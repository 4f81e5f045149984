import { readFileSync } from 'node:fs'
import { dateForms, encodings, fileOfBytes, formats } from '@baize/tables'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { described } from '../test/described.ts'
import { gather } from '../test/gather.ts'
import { descriptionSchema, statuses } from './description-schema.ts'
import { secondFileSchema } from './second-file.ts'

const docs = new URL('../../../docs/', import.meta.url)
const page = ['registers/finding-files.md', 'describing-a-register.md']
  .map(name => readFileSync(new URL(name, docs), 'utf8'))
  .join('\n')
const example = (name: string) => readFileSync(new URL(`examples/${name}`, docs), 'utf8')

type Node = TSchema & {
  properties?: Record<string, Node>
  additionalProperties?: Node | false
  shape?: string
}

/** Lists key paths such as `records.license.status`. A shared shape is listed once with its keys. */
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

/** The keys of a second file that the description itself has are explained there. */
const ofSecondFile = keysOf(secondFileSchema(undefined) as Node, ['second_file']).filter(key =>
  /^second_file\.(?:official_url|resolve\.by|licensee|domain)/.test(key),
)
const keys = new Set([
  ...formats.flatMap(format => keysOf(descriptionSchema(format) as Node)),
  ...ofSecondFile.map(key => key.replace(/\.by$/, '')),
])

/**
 * Reads the shapes on the page. The first cell of a row names its shape; an empty one repeats the shape
 * above.
 */
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

describe('the page about descriptions', () => {
  const shapes = shapesOnPage()

  test('the page has a row for every key of the description schema', () => {
    expect(keys.size).toBeGreaterThan(60)
    expect([...keys].filter(key => !page.includes(`| \`${key}\` |`) && !shapes.has(key))).toEqual([])
  })

  test('the page has no row without a key of the description schema', () => {
    const rows = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(match => match[1] as string)
    expect(rows.filter(row => !keys.has(row))).toEqual([])
    expect([...shapes].filter(key => !keys.has(key))).toEqual([])
  })

  test('the page lists every accepted word of a description', () => {
    const words = [...formats, ...encodings, ...dateForms, ...statuses]
    expect(words.filter(word => !page.includes(`\`${word}\``))).toEqual([])
  })
})

describe('the worked example of a description', () => {
  const stream = described(example('jersey-operators.yaml'))
  const file = fileOfBytes('jersey-operators.csv', example('jersey-operators.csv'))

  test('the page shows the worked example of a description unchanged', () => {
    expect(page).toContain(`\`\`\`yaml\n${example('jersey-operators.yaml')}\`\`\``)
    expect(page).toContain(`\`\`\`csv\n${example('jersey-operators.csv')}\`\`\``)
  })

  test('the worked example of a description gives the records that the page shows', async () => {
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
})
