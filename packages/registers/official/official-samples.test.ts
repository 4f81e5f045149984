/** The official addresses of each stream lead to its sample, whose columns are the recorded ones. */

import { unknownColumnNotice } from '@baize/registers/entries'
import {
  officialAnswers,
  officialAnswersOf,
  officialSample,
} from '@baize/registers/test/answers/official-answers'
import { expect, test } from 'vitest'
import type { OfficialFile, Stream } from '../stream.ts'
import { streams } from '../streams.ts'
import { findJsonFields } from './find-json-field.ts'
import { findFileLinks } from './find-link.ts'
import { findPages } from './find-pages.ts'
import { layoutChanges } from './layout-changes.ts'

const answered = streams.filter(({ key, official }) => official.files.length > 0 && officialAnswers[key])

function urlsOf({ key, official }: Stream, { url, resolve }: OfficialFile): string[] {
  const pageAt = (address: string) => {
    const found = officialAnswers[key]?.find(each => each.url === address)
    if (found === undefined) throw new Error(`no answer of ${key} at ${address}`)
    return { url: address, html: new TextDecoder().decode(found.body()), language: official.language }
  }
  switch (resolve.by) {
    case 'direct':
      return [url]
    case 'pages':
      return findPages(pageAt(url), resolve)
    case 'newest_link': {
      const { next, all = false, workbook = false, ...first } = resolve
      if (next === undefined) return findFileLinks(pageAt(url), resolve)
      const [page = ''] = findFileLinks(pageAt(url), first)
      return findFileLinks(pageAt(page), { ...next, all, workbook })
    }
    case 'json_field': {
      const { html: text, ...page } = pageAt(url)
      return findJsonFields({ ...page, text }, resolve)
    }
    case 'rendered':
      return officialAnswersOf(key).flatMap(each => (each.url.replace(/#\d$/, '') === url ? [each.url] : []))
    default:
      throw new Error(`resolve by ${resolve.by} has no sample yet`)
  }
}

test.each(answered.map(stream => [stream.key, stream] as const))(
  'the official address of %s leads to the files of the sample',
  (key, stream) => {
    const files = officialAnswersOf(key).filter(each => each.isIndex !== true)
    const found = stream.official.files.flatMap(file => urlsOf(stream, file))
    expect(found).toEqual(files.map(each => each.url))
  },
)

test('the recorded layout of a stream has every column of its sample', async () => {
  for (const stream of streams) {
    const readings = await Array.fromAsync(stream.read(officialSample(stream)))
    const unknown = readings.flatMap(each =>
      each.record === 'notice' && each.notice === unknownColumnNotice ? [each.published] : [],
    )
    expect([stream.key, layoutChanges(stream, unknown)]).toEqual([stream.key, []])
  }
})
