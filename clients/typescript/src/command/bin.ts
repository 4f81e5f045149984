#!/usr/bin/env node
import { run } from './run.ts'

// The reader of a pipe may leave; what is written then fails.
process.stdout.on('error', () => {})
run(process.argv.slice(2)).then(code => {
  process.exitCode = code
})
