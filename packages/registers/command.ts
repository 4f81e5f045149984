#!/usr/bin/env node
/** Prints the records of a register's file as JSON lines. Rejected rows and their reasons go to stderr. */
import { parseArgs } from 'node:util'
import { fileAt, Refusal } from '@baize/tables'
import { findStream, type Stream, streams } from './index.ts'

const usage = 'Usage: baize-registers list\n       baize-registers read STREAM FILE...'

const [command, key = '', ...paths] = parseArgs({ allowPositionals: true }).positionals
process.exitCode = await run()

async function run(): Promise<number> {
  if (command === 'list') {
    for (const { key, regulator, officialUrl } of streams)
      console.log([key, regulator, officialUrl].join('\t'))
    return 0
  }
  if (command !== 'read' || paths.length === 0) return fail(usage)
  const stream = findStream(key)
  if (stream === undefined) return fail(`no register ${JSON.stringify(key)}; see "baize-registers list"`)
  try {
    await read(stream)
    return 0
  } catch (error) {
    if (error instanceof Refusal) return fail(error.message)
    throw error
  }
}

async function read(stream: Stream): Promise<void> {
  for await (const reading of stream.read(paths.map(fileAt))) {
    if (reading.record === 'notice') console.error(`notice: ${reading.notice}: ${reading.published}`)
    else if (reading.record === 'reject')
      console.error(`reject: line ${reading.line} is ${reading.reason}: ${reading.published}`)
    else console.log(JSON.stringify(reading))
  }
}

function fail(message: string): number {
  console.error(message)
  return 1
}
