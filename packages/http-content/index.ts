/** Sends content over HTTP as a client prefers and knows it: type, encoding, entity tag, range. */
export { prefersHtml, prefersMarkdown } from './accept.ts'
export { chooseEncoding, encodeBody, encodedTag, encodeStream, mayEncode } from './content-encoding.ts'
export { entityTag, isNotModified } from './entity-tag.ts'
export { pageHeaders, pagePolicy, securityHeaders } from './security-headers.ts'
export { attachment, type FileAnswer, sendFile } from './send-file.ts'
export { htmlType, jsonType, markdownType, type StaticContent, staticContent } from './static-content.ts'
