import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = globSync(['*.md', 'docs/**/*.md', '{clients,demo,packages}/**/*.md'], {
  cwd: root,
  exclude: path => path.includes('node_modules'),
})
const linesMax = 300
const readmeLinesMax = 120

/** Makes the anchors of headings as GitHub does. */
const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

const linksOf = (markdown: string): string[] =>
  [...markdown.replaceAll(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, href = '']) => href)
    .filter(href => !/^(https?:|\/)/.test(href))

test('every relative link of a page leads to a file and an existing heading', () => {
  const wrong = pages.flatMap(page =>
    linksOf(readFileSync(join(root, page), 'utf8')).flatMap(href => {
      const [path = '', anchor] = href.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(root, file))) return `${page}: no file ${href}`
      const isFound =
        anchor === undefined || anchorsOf(readFileSync(join(root, file), 'utf8')).includes(anchor)
      return isFound ? [] : `${page}: no heading ${href}`
    }),
  )
  expect(wrong).toEqual([])
})

test('every page of the docs is below its length limit', () => {
  const wrong = pages
    .map(page => ({ page, lines: readFileSync(join(root, page), 'utf8').trimEnd().split('\n').length }))
    .filter(({ page, lines }) => lines > (page === 'README.md' ? readmeLinesMax : linesMax))
    .filter(({ page }) => page !== 'CHANGELOG.md')
    .map(({ page, lines }) => `${page} has ${lines} lines: split it.`)
  expect(wrong).toEqual([])
})

test('every path in docs/map.md exists', () => {
  const files = globSync('{src,packages,clients,cluster,database,demo,docs,bench,scripts,test}/**', {
    cwd: root,
    exclude: path => path.includes('node_modules'),
  })
  const map = readFileSync(join(root, 'docs/map.md'), 'utf8')
  const named = [...map.matchAll(/`([\w./-]+(?:\.\w+|\/))`/g)].map(([, path = '']) => path.replace(/\/$/, ''))
  const wrong = named.filter(path => !files.some(file => file === path || file.endsWith(`/${path}`)))
  expect(wrong).toEqual([])
})
