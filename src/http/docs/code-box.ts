import bash from '@speed-highlight/core/languages/bash.js'
import csv from '@speed-highlight/core/languages/csv.js'
import html from '@speed-highlight/core/languages/html.js'
import json from '@speed-highlight/core/languages/json.js'
import py from '@speed-highlight/core/languages/py.js'
import sql from '@speed-highlight/core/languages/sql.js'
import ts from '@speed-highlight/core/languages/ts.js'
import yaml from '@speed-highlight/core/languages/yaml.js'
import { type ShjLanguageData, type ShjToken, tokenizeWith } from '@speed-highlight/core/tokenize'
import { escapeHtml } from './page.ts'

/** The languages of the written pages, by the words with which their blocks begin. */
const languages: Readonly<Record<string, unknown>> = { sh: bash, csv, html, json, py, sql, ts, yaml }

/** The style sheet has a colour for each of these classes. Other tokens have the colour of text. */
const classes: Partial<Record<ShjToken, string>> = {
  cmnt: 'c',
  kwd: 'k',
  str: 's',
  num: 'n',
  bool: 'n',
  func: 'f',
  var: 'f',
  type: 'f',
  class: 'f',
}

/** Draws a block of code in a part with the class `copyable`, whose button copies it by the script. */
export function copyableCode(text: string, language: string | undefined, name: string): string {
  const code = highlightedCode(text, language)
  const button = `<button type="button" data-copy aria-label="Copy: ${escapeHtml(name)}">Copy</button>`
  return code + button
}

export const highlightedCode = (text: string, language: string | undefined): string =>
  `<pre><code>${highlighted(text, languages[language ?? ''])}\n</code></pre>\n`

function highlighted(text: string, language: unknown): string {
  if (language === undefined) return escapeHtml(text)
  const parts: string[] = []
  // The types of the package do not fit exact optional properties.
  tokenizeWith(text, language as ShjLanguageData, (part, token) => {
    const name = token && classes[token]
    parts.push(name === undefined ? escapeHtml(part) : `<span class="${name}">${escapeHtml(part)}</span>`)
  })
  return parts.join('')
}
