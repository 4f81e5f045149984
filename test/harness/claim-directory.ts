import { claimDataDirectory } from '@baize/data-directory'

// Claims the directory, announces the URL, and runs until killed: `node claim-directory.ts DIRECTORY
// [URL]`.
const [dataDirectory = '', url] = process.argv.slice(2)
const claim = await claimDataDirectory(dataDirectory)
if (url !== undefined) await claim.announce({ url, database: { url: 'postgresql://somewhere/else' } })
console.log('{}')
setInterval(() => {}, 60_000)
