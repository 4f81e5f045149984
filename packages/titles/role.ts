#!/usr/bin/env node
// Prints the reading of one job title as JSON: `role TITLE`.
import { readTitle } from './read-title.ts'

const title = process.argv.slice(2).join(' ')
if (title === '') {
  console.error('Usage: role TITLE')
  process.exitCode = 2
} else {
  console.log(JSON.stringify(readTitle(title), null, 2))
}
