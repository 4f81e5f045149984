import { describe, expect, test } from 'vitest'
import { findLegalPages } from '../claims/choose-pages.ts'
import { pageFindings } from '../sections/page-findings.ts'
import { pageSource } from './fixture.ts'
import { loadRules } from './load-rules.ts'
import { matchRules } from './match-rules.ts'
import { parsePage } from './parse-page.ts'
import { pageMsMax } from './read-page-in-thread.ts'
import type { Condition } from './rule.ts'

const megabyte = 1_000_000
/** A quiet processor needs at most 200 ms. */
const rulesMsMax = 300
const readingsMax = 4
/** The result of `referenceMs()` on an idle processor. */
const quietReferenceMs = 60

/** Returns the processor time of this thread in milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * Returns the current slowness of the processor, by which the limits grow. A core shared with another
 * thread is half as fast.
 */
function slowness(): number {
  return Math.max(1, referenceMs() / quietReferenceMs)
}

function referenceMs(): number {
  const start = threadMs()
  const counts = new Map<string, number>()
  for (let n = 0; n < 50_000; n += 1) {
    const word = `${nearMiss(n)} ${n % 1_000}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ')
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  expect(counts.size).toBeGreaterThan(1_000)
  return threadMs() - start
}

const filled = (piece: string, before = '', after = '') =>
  before + piece.repeat(Math.ceil(megabyte / piece.length)) + after
const numbered = (piece: (n: number) => string) => {
  let text = ''
  for (let n = 0; text.length < megabyte; n += 1) text += piece(n)
  return text
}

/** Every phrase of the rules without its last word. */
const nearMisses = loadRules()
  .files.flatMap(({ rules }) => rules.flatMap(({ condition }) => phrasesOf(condition)))
  .map(phrase => phrase.split(' ').slice(0, -1).join(' '))
  .filter(phrase => phrase !== '')
const nearMiss = (n: number) => nearMisses[n % nearMisses.length] as string

function phrasesOf(condition: Condition): string[] {
  const [[kind, operand]] = Object.entries(condition) as [[string, unknown]]
  if (kind === 'all' || kind === 'any') return (operand as Condition[]).flatMap(phrasesOf)
  if (kind === 'not') return phrasesOf(operand as Condition)
  return ['text', 'link_text', 'label', 'icon', 'title'].includes(kind) ? (operand as string[]) : []
}

const policies = numbered(n => `script-src h${n}.example;`)
/** The text stays below the limit for a script. */
const members = Array.from({ length: 20_000 }, (_, n) => `"k${n}":1,`).join('')

const hostilePages: Record<string, string> = {
  'deep nesting': filled('<div>'),
  'deep nesting of formatting': filled('<b><i>'),
  'the adoption agency': filled('<a><b><div></a></b>'),
  'formatting across paragraphs': filled('<b><p></b>'),
  'unclosed tables': filled('<table><tr><td>'),
  'foster parenting': filled('<a>x', '<table>'),
  'paragraphs in deep elements': `${'<span>'.repeat(250)}${filled('<p>x</div>')}`,
  'blocks below a paragraph far away': `<p><table>${'<span>'.repeat(250)}${filled('<div></i>', '<i>')}`,
  'end tags without start': filled('</p></b></x>'),
  'end tags across a block': `<i><div>${'<span>'.repeat(250)}${filled('</i>')}`,
  'a million attributes': `<div ${numbered(n => ` a${n}`)}>`,
  'the same attribute': `<div ${filled('a=1 ')}>`,
  'a huge attribute value': `<a href="https://x.example/${filled('a')}"><img alt="${filled('visa ')}">`,
  'a huge class of a style': `<p style="${filled('display:x;')}">Visa`,
  'a long word': `<p>${filled('a')}`,
  'long words with accents': `<p>${filled('ắ')}`,
  'ligatures that unfold': `<p>${filled('ﷺ')}`,
  'ligatures in short texts': filled(`<p>${'ﷺ a'.repeat(100)}`),
  initials: `<p>${filled('a.')}`,
  slashes: `<p>${filled('a/')}`,
  'a row of Chinese': `<p>${filled('入金')}`,
  'the first word of phrases': `<p>${filled('visa casino bonus live ')}`,
  'different words': `<p>${numbered(n => `w${n} `)}`,
  'phrases that nearly match': `<p>${numbered(n => `${nearMiss(n)} `)}`,
  'blocks that nearly match': numbered(n => `<p>${nearMiss(n)}`),
  'links that nearly match': numbered(n => `<a href=/${n}>${`${nearMiss(n)} `.repeat(20)}</a>`),
  'images that nearly match': numbered(n => `<img src=/${n}.png alt="${`${nearMiss(n)} `.repeat(20)}">`),
  'links with words of legal pages': numbered(
    n => `<a href=/${'terms-and-privacy-'.repeat(15)}${n}>${'bonus terms and '.repeat(5)}</a>`,
  ),
  'many links': numbered(n => `<a href=/${n}>${n}</a>`),
  'many links without end': numbered(n => `<a href=//h${n}.example>`),
  'license words and numbers': numbered(n => `<p>${`licence a ${1_000 + n} `.repeat(100)}`),
  'sentences of companies': `<p>${numbered(n => `Operated by Otter${n} Ltd. `)}`,
  'sentences about sister sites': numbered(
    n => `<p>Our sister site w${n}. <a href=//h${n}.example>x${n}y</a>`,
  ),
  'many images': numbered(n => `<img src=//i${n}.example/${n}.png alt=a${n}>`),
  'many scripts': numbered(n => `<script src=//s${n}.example></script>`),
  'many short texts': filled('<p>a'),
  'unclosed comments': filled('<!--'),
  'an unclosed script': filled('</scrip', '<script>'),
  'half tags': filled('<'),
  entities: filled('&notit;&amp&#x;'),
  metas: numbered(n => `<meta name=n${n} content=c>`),
  policies: `<meta http-equiv=content-security-policy content="${policies}">`,
  inputs: filled('<input type=password>'),
  '100,000 objects of JSON-LD': `<script type=application/ld+json>[${filled('{"@type":1},')}1]</script>`,
  'deep JSON-LD': `<script type=application/ld+json>${'{"@type":"a","b":'.repeat(15_000)}</script>`,
  'many scripts of JSON-LD': filled('<script type=application/ld+json>[{"@type":"x"}]</script>'),
  'wide JSON-LD': `<script type=application/ld+json>{"@type":"a",${members}"z":1}</script>`,
  blanks: filled(' \n', '<p>x', '<p>y'),
  'NUL characters': filled('\0'),
  svg: filled('<svg><title>a'),
  templates: filled('<template>'),
  selects: filled('<select><option>'),
  'names of brands in sentences': `<p>${filled(
    'NetEnt, Evolution and Relax. Gaming (Playson) from 10 € by iDEAL or Visa, ' +
      'and many other words of a long text of which no rule of ours knows a single one ',
  )}`,
  'labels of tiles': numbered(
    n => `<a href=/${n} title="Game ${n} (Evolution)" aria-label="Play ${n} by NetEnt | ${nearMiss(n)}"></a>`,
  ),
  'cells of a column': numbered(n => `<li><b>Game ${n}</b><i>${nearMiss(n)}</i><i>Evolution</i>`),
  'styles with pictures': numbered(
    n => `<i class=payments style="background:url(/${n}.svg),url(/pay/a${n}.svg)">`,
  ),
  'ids of streamed blocks': numbered(
    n => `<div hidden><template id="B:${n}"></template><p hidden id="S:${n}">x`,
  ),
  'nested shadow roots': filled('<x-a><template shadowrootmode=open>'),
  'lists in data': `<script>x={"providers":[${numbered(
    n => `{"name":"w${n} gaming","provider":"${nearMiss(n)}"},`,
  )}`,
  'deep data': `<script>${filled('[{"payments":')}`,
  'data in data': `<script>x="${filled('{\\"a\\":\\"\\\\\\"')}"</script>`,
  'strings of data without end': `<script>${filled('"a":`\\')}</script>`,
  'pieces of streamed data': filled('<script>self.__next_f.push([1,"{\\"providers\\":["])</script>'),
  'data of Nuxt that refers to itself': `<script id=__NUXT_DATA__>[${'[0,0,0],'.repeat(30_000)}[0]]`,
  'mailboxes of several roles': `<p>${numbered(
    n => `${'aladeclientedatosde'.repeat(3)}${n}@luckyotter.example `,
  )}`,
}

describe('1 MB of hostile markup', () => {
  const { rules } = loadRules()

  /** Returns the processor time of rules, and of parsing, rules and readers together. */
  function readingMs(html: string): { rules: number; whole: number } {
    const source = pageSource(html)
    const start = threadMs()
    const page = parsePage(source)
    const parsed = threadMs()
    const matches = matchRules(page, rules)
    pageFindings({ domain: 'luckyotter.example', pageType: 'terms', page, matches, rules })
    findLegalPages(page, 'luckyotter.example')
    const ended = threadMs()
    return { rules: ended - parsed, whole: ended - start }
  }

  test.each(Object.entries(hostilePages))(
    'a hostile page of %s is matched in 300 ms and read in 2 s',
    (_name, html) => {
      let best = { rules: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY }
      const isSlow = () => best.rules >= rulesMsMax || best.whole >= pageMsMax
      for (let reading = 0; reading < readingsMax && isSlow(); reading += 1) {
        const slow = slowness()
        const { rules: ofRules, whole } = readingMs(html)
        best = { rules: Math.min(ofRules / slow, best.rules), whole: Math.min(whole / slow, best.whole) }
      }
      expect(best.rules).toBeLessThan(rulesMsMax)
      expect(best.whole).toBeLessThan(pageMsMax)
    },
  )
})
