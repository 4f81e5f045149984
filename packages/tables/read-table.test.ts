import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { fileOfBytes, readTable, readTableDescription } from './index.ts'

const at = (path: string) => new URL(path, import.meta.url)
const readme = readFileSync(at('README.md'), 'utf8')
const run = (...words: string[]) =>
  promisify(execFile)(process.execPath, [at('command.ts').pathname, ...words], {
    cwd: at('../../').pathname,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    error => ({ code: error.code as number, stdout: error.stdout as string, stderr: error.stderr as string }),
  )
const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '    ')

test('the tables command prints the rows and reports that the README shows', async () => {
  const { code, stdout, stderr } = await run(
    'read',
    'packages/tables/example/vessels.csv',
    '--as',
    'packages/tables/example/vessels.yaml',
  )
  expect(code).toBe(0)
  expect(readme).toContain(indented(stdout))
  expect(readme).toContain(indented(stderr))
  expect(readme).toContain(readFileSync(at('example/vessels.yaml'), 'utf8'))
})

test('the tables command refuses a file of another kind, and exits with 1', async () => {
  const example = 'packages/tables/example/vessels.yaml'
  expect(await run('read', 'packages/tables/package.json', '--as', example)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('"package.json": expected the columns [Number | Vessel'),
  })
  expect(await run('read', example)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Usage: /) })
})

const problemsOf = (text: string) => {
  const read = readTableDescription(text)
  return read.ok ? [] : read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

test('an unusable description of a table is refused with the place of each problem', () => {
  expect(problemsOf('file: { format: cvs }\ncolumns: { site: { headers: [Site] } }')).toEqual([
    expect.stringMatching(/^1:17 file\.format must be one of .*; did you mean "csv"\?$/),
  ])
  expect(
    problemsOf('file: { format: csv }\ncolumns: { site: { headers: [Site] } }\nfill_down: [sit]'),
  ).toEqual(['3:13 "columns" has no column "sit"; did you mean "site"?'])
})

test('rows, misshapen rows, rows left out and unknown columns are reported with their lines', async () => {
  const read = readTableDescription(
    'file: { format: csv }\ncolumns: { site: { headers: [Site] }, day: { headers: [Day] } }\n' +
      'empty_cells: [none]\nleave_out: { column: site, words: [Total] }\nfill_down: [day]',
  )
  if (!read.ok) throw new Error('unusable')
  const file = fileOfBytes(
    'list.csv',
    'Day,Site,Town\n1.5.2026, otter.example ,\nnone,fox.example,\nx\n,Total,\n',
  )
  expect(await Array.fromAsync(readTable([file], read.value))).toEqual([
    { kind: 'unknown_column', name: 'Town' },
    { kind: 'row', line: 2, cells: { site: 'otter.example', day: '1.5.2026' } },
    { kind: 'row', line: 3, cells: { site: 'fox.example', day: '1.5.2026' } },
    { kind: 'misshapen', line: 4, published: 'x' },
    { kind: 'left_out', line: 5, published: 'Total' },
  ])
})
