#!/usr/bin/env node
// Prints the lobby of a page as JSON: `read-lobby URL PAGE...`. Each PAGE is the HTML of the page after one
// more scroll. URL is where it was fetched.
import { readFileSync } from 'node:fs'
import { findLobbyLinks, readLobby } from './index.ts'

const [url = '', ...files] = process.argv.slice(2)

if (URL.canParse(url) && files.length > 0) {
  const steps = files.map(file => readFileSync(file, 'utf8'))
  const lobby = readLobby({ url, steps, frames: [], viewportHeight: 900, hasSeenEnd: true })
  console.log(JSON.stringify({ ...lobby, links: findLobbyLinks(steps.at(-1) ?? '', url) }, null, 2))
} else {
  console.error('Usage: read-lobby URL PAGE...')
  process.exitCode = 2
}
