#!/usr/bin/env node
import { dispatchCommand } from './run.ts'

// Ignores errors of stdout, which fails when the reader of a pipe has ended.
process.stdout.on('error', () => {})
dispatchCommand(process.argv.slice(2)).then(code => {
  process.exitCode = code
})
