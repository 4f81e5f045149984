import { counted } from '@baize/names'
import { type Out, printTable } from '@baize/terminal'
import type { Command } from 'commander'
import { listRenderers } from '../features/renderers/index.ts'
import { countJobs, type JobState, type ListedJob, listJobs } from '../jobs/index.ts'
import { withSession } from './session.ts'

const errorCharactersShown = 100

export function jobsCommands(program: Command, out: Out): void {
  const jobs = program.command('jobs').description('Background jobs, such as fetching registers.')

  jobs
    .command('list', { isDefault: true })
    .description('List failed, running and waiting jobs with their last error.')
    .option('--failed', 'only jobs that failed and will not be retried')
    .action(async ({ failed }: { failed?: boolean }) => {
      const { all, counts } = await withSession(async ({ world: { database } }) => ({
        all: await listJobs(database),
        counts: await countJobs(database),
      }))
      const isWanted = ({ state }: { state: JobState }) => !failed || state === 'failed'
      const listed = all.filter(isWanted)
      const total = counts.filter(isWanted).reduce((sum, { jobs }) => sum + jobs, 0)
      const more = total > listed.length ? `\n${listed.length} of ${counted(total, 'job')}` : ''
      out.print({ json: listed, text: `${printTable(listed.map(jobColumns))}${more}` })
    })

  jobs
    .command('renderers')
    .description('List how often each worker rendered a page, what failed, and how many processes run.')
    .action(async () => {
      const listed = await withSession(({ world: { database } }) => listRenderers(database, new Date()))
      out.print({ json: listed, text: printTable(listed) })
    })
}

function jobColumns({ job, task, key, state, attempts, attempts_max, next_at, last_error }: ListedJob) {
  const error = last_error?.replaceAll(/\s+/g, ' ') ?? null
  return {
    job,
    task: key ?? task,
    state,
    attempts: `${attempts} of ${attempts_max}`,
    next_at,
    last_error:
      error !== null && error.length > errorCharactersShown
        ? `${error.slice(0, errorCharactersShown)}…`
        : error,
  }
}
