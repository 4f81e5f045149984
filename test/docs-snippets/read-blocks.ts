import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Marked, type Tokens } from 'marked'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Block = {
  /** The path from the root of the repository. */
  page: string
  /** The language; empty for an indented block, or one without a language. */
  language: string
  code: string
  /** The previous block on the page, or null. */
  before: Block | null
}

/** Returns the blocks of code of all pages of the docs and of each README. */
export function readBlocks(): Block[] {
  const pages = globSync(['docs/**/*.md', '*.md', 'clients/*/*.md', 'demo/*.md'], { cwd: root })
  return pages.toSorted().flatMap(blocksOf)
}

function blocksOf(page: string): Block[] {
  const marked = new Marked()
  const blocks: Block[] = []
  marked.walkTokens(marked.lexer(readFileSync(`${root}/${page}`, 'utf8')), token => {
    if (token.type !== 'code') return
    const { lang = '', text } = token as Tokens.Code
    blocks.push({ page, language: lang, code: text, before: blocks.at(-1) ?? null })
  })
  return blocks
}
