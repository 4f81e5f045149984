import type { Block } from './read-blocks.ts'

/** Blocks that no test runs or compares, with the reason. */
type Known = { pages: RegExp; code: RegExp; why: string }

const operatorCommand = /^(#.*|npm (ci|test|run) .*|npm (ci|test)|baize .*|docker .*)$/

export const notRun: readonly Known[] = [
  {
    pages: /^docs\/clients\.md$/,
    code: /^npm ci && npm pack/,
    why: 'clients/typescript/test/package.faults.test.ts packs and installs the package',
  },
  {
    pages: /^docs\/errors\/(?!README)/,
    code: /^\{/,
    why: 'test/errors-documented.test.ts compares it with the answer',
  },
  {
    pages: /^docs\/errors\/README/,
    code: /Rate limit exceeded/,
    why: 'the seconds depend on the clock; src/http/throttle.test.ts has the answer',
  },
  {
    pages: /^docs\/site-checks\.md$/,
    code: /example\.com/,
    why: 'looks at a site of the Internet; test/small-internet/ has sites for tests',
  },
  {
    pages:
      /^docs\/((operating|registers)\/.*|map|data-model|operating|running-a-cluster|registers|search-quality|describing-a-register)\.md$/,
    code: /./,
    why: 'for operators and developers: tests of src/cli/ and src/registers/ run their commands',
  },
  {
    pages: /^docs\/(companies|logos|people|prospect-lists)\.md$/,
    code: /^\{"kind":/,
    why: 'a line for `baize import`; the tests of src/dataset/ and src/cli/ import such lines',
  },
  {
    pages: /^docs\/prospect-lists\.md$/,
    code: /^The result does not fit/,
    why: 'a message of `baize prospect-list deliver`; src/features/prospect-lists/read-result.test.ts has it',
  },
  {
    pages: /^docs\/(logos|prospect-lists)\.md$/,
    code: /^<(img|form)/,
    why: 'markup for a page of the reader',
  },
  {
    pages: /^docs\/regimes\.md$/,
    code: /^\{/,
    why: 'the demo world has no regimes; src/features/regimes/regimes.test.ts has such answers',
  },
  {
    pages: /^docs\/signals\.md$/,
    code: /"correction_of"/,
    why: 'needs a discarded snapshot; src/features/signals/ tests corrections',
  },
]

/** Operators' commands need an instance and its files, so the tests of src/cli/ run them. */
const isForOperators = ({ language, code }: Block): boolean =>
  ['', 'sh'].includes(language) && code.split('\n').every(line => operatorCommand.test(line.trim()))

export const fits = ({ pages, code }: Known, block: Block): boolean =>
  pages.test(block.page) && code.test(block.code)

export const isRun = (block: Block): boolean =>
  !isForOperators(block) && !notRun.some(known => fits(known, block))
