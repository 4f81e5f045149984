#!/usr/bin/env node
/** Prints the rows of a file as JSON lines. Rejected rows and their reasons go to stderr. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { fileAt, Refusal, readTable, readTableDescription, type TableReading } from './index.ts'

const usage = 'Usage: baize-tables read FILE... --as DESCRIPTION'

process.exitCode = await run(process.argv.slice(2))

async function run(words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    options: { as: { type: 'string' } },
    allowPositionals: true,
  })
  const [command, ...paths] = positionals
  if (command !== 'read' || paths.length === 0 || values.as === undefined) return fail(usage)
  const read = readTableDescription(await readFile(values.as, 'utf8'))
  if (!read.ok)
    return fail(
      ...read.problems.map(({ line, column, message }) => `${values.as}:${line}:${column} ${message}`),
    )
  try {
    for await (const reading of readTable(paths.map(fileAt), read.value)) {
      if (reading.kind === 'row') console.log(JSON.stringify(reading.cells))
      else console.error(explain(reading))
    }
    return 0
  } catch (error) {
    if (error instanceof Refusal) return fail(error.message)
    throw error
  }
}

function explain(reading: Exclude<TableReading, { kind: 'row' }>): string {
  switch (reading.kind) {
    case 'unknown_column':
      return `notice: the column ${JSON.stringify(reading.name)} is not described`
    case 'notice':
      return `notice: ${reading.notice}: ${reading.published}`
    case 'left_out':
      return `notice: line ${reading.line} is left out: ${reading.published}`
    case 'misshapen':
      return `reject: line ${reading.line} is no row: ${reading.published}`
  }
}

function fail(...messages: string[]): number {
  for (const message of messages) console.error(message)
  return 1
}
