/** The official files of a stream, found as a fetch would find them, for tests. */
import { findLink } from '../official/find-link.ts'
import { findPages } from '../official/find-pages.ts'
import { fileOfBytes } from '../source/file-of-bytes.ts'
import type { OfficialFile, SourceFile, Stream } from '../stream.ts'
import { marketSavedFiles } from './markets/official-answers.ts'
import type { OfficialAnswer } from './official-answer.ts'
import { officialAnswers } from './official-fixture.ts'
import { savedFiles } from './register-answers.ts'

/** In pieces that split characters and lines. */
export function officialSample(stream: Stream): SourceFile[] {
  const saved = savedFiles[stream.key] ?? marketSavedFiles[stream.key]
  if (saved !== undefined) return saved.map(fileOf)
  const answers = officialAnswers[stream.key] ?? []
  const answerAt = (url: string) => {
    const found = answers.find(each => each.url === url)
    if (found === undefined) throw new Error(`no answer of ${stream.key} at ${url}`)
    return found
  }
  const pageAt = (url: string) => ({
    url,
    html: new TextDecoder().decode(answerAt(url).body()),
    language: stream.official.language,
  })
  const urlsOf = ({ url, resolve }: OfficialFile): string[] => {
    switch (resolve.by) {
      case 'direct':
        return [url]
      case 'pages':
        return findPages(pageAt(url), resolve.parameter)
      case 'newest_link': {
        const found = findLink(pageAt(url), resolve)
        return [resolve.next === undefined ? found : findLink(pageAt(found), resolve.next)]
      }
      default:
        throw new Error(`resolve by ${resolve.by} has no sample yet`)
    }
  }
  return stream.official.files.flatMap(urlsOf).map(url => fileOf(answerAt(url)))
}

const fileOf = ({ url, body }: OfficialAnswer) => fileOfBytes(url.split('/').at(-1) ?? '', body(), 997)
