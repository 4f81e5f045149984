import { claimDataDirectory } from '../../src/instance/claim.ts'

// Claims the directory named, announces itself under the URL named (if any), and stays until killed.
const [dataDirectory = '', url] = process.argv.slice(2)
const claim = await claimDataDirectory(dataDirectory)
if (url !== undefined) await claim.announce({ url, database: { url: 'postgresql://somewhere/else' } })
console.log('{}')
setInterval(() => {}, 60_000)
