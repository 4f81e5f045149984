// Sends verdicts at a steady rate, and prints their times. A process of its own, because the test serves the
// bombs meanwhile. Usage: node run-load.ts TARGET SECONDS RATE
import { pacedLoad } from '../../bench/harness/paced-load.ts'

const [target = '', seconds = '', rate = ''] = process.argv.slice(2)
console.log(JSON.stringify(await pacedLoad(JSON.parse(target), Number(seconds), Number(rate))))
