/** Reads the name of an image's file without folder, extension and content hash, such as `visa-white`. */
const fileCharactersMax = 100
const imageProxies = /[?&](?:url|src|image)=([^&#]{1,500})/

/** Returns an empty text for a URL without a meaningful name, such as a data URI. */
export function imageFile(url: string): string {
  if (url.startsWith('data:') || url.startsWith('blob:')) return ''
  const proxied = /\/(?:_next\/image|_ipx|_vercel\/image|image)\b/.test(url)
    ? imageProxies.exec(url)?.[1]
    : null
  const path = (proxied ? decoded(proxied) : url).split(/[?#]/, 1)[0] as string
  const last = decoded(path.slice(path.lastIndexOf('/') + 1)).slice(0, fileCharactersMax)
  const parts = last
    .replace(/(?:\.(?:min|svgz?|png|jpe?g|gif|webp|avif|ico|bmp|apng))+$/i, '')
    .split(/([.@_-])/)
  while (parts.length > 1 && isNoise(parts.at(-1) as string)) parts.length -= 2
  return isHash(parts[0] as string) && parts.length === 1 ? '' : parts.join('')
}

const isNoise = (part: string) => part === '' || /^\d?x$|^\d{2,4}x\d{2,4}$/i.test(part) || isHash(part)

/** Detects a content hash: hexadecimal digits, or the mixed letters and digits of a bundler. */
function isHash(part: string): boolean {
  if (/^[0-9a-f]{6,64}$/i.test(part)) return /\d/.test(part) && /[a-f]/i.test(part)
  return /^[0-9a-z]{8,64}$/i.test(part) && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
