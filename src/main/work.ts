import { runUntilStopped } from '../instance/run-until-stopped.ts'
import { work } from '../instance/work.ts'

<<<<<<< HEAD
// A worker: it runs jobs and does not serve the API.
=======
// A worker without the API.
>>>>>>> 26e4cbb (Describe streams, files, journal and fetches plainly)
await runUntilStopped(work)
