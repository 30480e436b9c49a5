import { createMemorySnapshots } from '#lib/adapters/memory/snapshots.ts';
import { snapshotsContract } from '#test/contract/snapshots.contract.ts';

snapshotsContract('snapshots in memory', async () => createMemorySnapshots());
