import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Validation } from '../queries.ts'
import { CheckResults } from './validation.tsx'

type Finding = Validation['findings'][number]

const finding = (check: string, change: Partial<Finding>): Finding => ({
  ...{ group: 'sip', check, passed: false, severity: 'critical', sentence: null, detail: null, setting: null },
  ...change,
})

const resultOf = (findings: Finding[]): Validation => ({
  backend: 'sip',
  checks: Object.fromEntries(findings.map(({ check, passed }) => [check, passed])),
  findings,
})

it('does not call a check failed that could not be tried', () => {
  const untried = finding('numbers_arrive', { severity: 'info', sentence: 'Not tested.' })
  render(<CheckResults results={[resultOf([finding('ami_reachable', { passed: true }), untried])]} registry={{}} />)
  screen.getByText('All checks passed')
  screen.getByText('Not tested')
  expect(screen.queryByText('Fail')).toBeNull()
})

it('says so when one failed beside it', () => {
  const untried = finding('numbers_arrive', { severity: 'info' })
  render(<CheckResults results={[resultOf([finding('ami_reachable', {}), untried])]} registry={{}} />)
  screen.getByText('Review checks')
  screen.getByText('Fail')
})
