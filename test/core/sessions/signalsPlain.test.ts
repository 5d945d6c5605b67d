import assert from 'node:assert/strict';
import { findSignals } from '../../../src/core/sessions/signals';

const at = Date.parse('2026-01-14T10:00:00Z');
const find = (text: string) => findSignals({ text, at }).signals;
const kindOf = (text: string) => {
  const signals = find(text);
  return signals.some((signal) => signal.explicit) ? 'saved' : signals.length > 0 ? 'suggested' : 'nothing';
};
const all = (kind: string, texts: readonly string[]) => {
  for (const text of texts) assert.equal(kindOf(text), kind, text);
};

describe('plain sayings', () => {
  it('asked to be remembered need no other verb than the first person of Portuguese', () => {
    all('saved', [
      'Lembre-se de que assinamos os pacotes antes de publicar',
      'tenha em mente que temos duas lojas sem rede',
      'lembra que somos auditados em março',
    ]);
    all('nothing', ['Lembre-se de assinar o pacote', 'você lembra que usamos qual chave?']);
  });

  it('make a rule of whatever must be from this day on, and of what is to stop', () => {
    all('saved', [
      'From now on changelog entries need a link to the ticket',
      'Henceforth public packages must carry a licence header',
      'a partir de agora as migrações precisam de um rollback',
      'chega de usar mocks de banco daqui pra frente',
    ]);
    all('nothing', ['stop using the proxy in this test', 'going forward the parser should skip blanks, fix it']);
    assert.notEqual(kindOf('From now on the tests need fixing, start with the parser'), 'saved');
  });

  it('that name who holds an office are suggested, but not the people of test data', () => {
    all('suggested', ['The product owner is Ines Albrecht', 'Nosso líder técnico é o Davi Prado']);
    all('nothing', ['Who is the product owner?', 'add a fixture where the tech lead is Ines Albrecht']);
  });

  it('that name which system serves what are suggested as pointers', () => {
    const [signal] = find('We use Bugsnag for crashes; the project there is called harbour');
    assert.equal(signal?.explicit, false);
    assert.equal(signal?.type, 'reference');
    all('suggested', ['usamos o Grafana para métricas']);
    all('nothing', ['should we use Bugsnag for crashes?', 'we use a queue for the events in this worker']);
  });

  it('with a day ahead in figures are suggested like those with a day in words', () => {
    all('suggested', [
      'the freeze is on 2026-02-06',
      'o contrato do provedor vence em 2026-08-15',
      'Go-live is 2026-05-01',
    ]);
    all('nothing', [
      'the freeze was on 2025-12-20',
      'set the release date to 2026-02-06',
      'rename 2026-02-06-freeze.sql',
    ]);
  });
});
